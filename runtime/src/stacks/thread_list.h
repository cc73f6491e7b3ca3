// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that the process has now, by /proc.

#ifndef LOOPSCOPE_STACKS_THREAD_LIST_H
#define LOOPSCOPE_STACKS_THREAD_LIST_H

#include <stdint.h>

namespace loopscope::runtime {

struct ThreadList {
  static constexpr uint32_t Most = 4096;

  uint32_t Count;
  bool IsWhole; ///< all could be read; there may be more than Most
  int Tids[Most];
};

/// Lists the process's threads, through a file descriptor that the program
/// doesn't see. Changes errno.
void listThreads(ThreadList &Into);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_THREAD_LIST_H

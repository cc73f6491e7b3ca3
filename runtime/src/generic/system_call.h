// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters the kernel through libc's syscall(), which programs must not define on
// these processors. One of several files of this name; the build selects one by
// its include path.

#ifndef LOOPSCOPE_GENERIC_SYSTEM_CALL_H
#define LOOPSCOPE_GENERIC_SYSTEM_CALL_H

#include <errno.h>
#include <unistd.h>

namespace loopscope::runtime {

/// Returns the kernel's result, or a negative error number.
inline long systemCall(long Number, long A = 0, long B = 0, long C = 0,
                       long D = 0, long E = 0, long F = 0) {
  int Saved = errno;
  long Result = syscall(Number, A, B, C, D, E, F);
  if (Result == -1)
    Result = -errno;
  errno = Saved;
  return Result;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_SYSTEM_CALL_H

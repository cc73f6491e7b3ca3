// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pause of the calling thread for what the program asks the profiler to do,
// so that its time is in no phase.

#ifndef LOOPSCOPE_PROCESS_OWN_PAUSE_H
#define LOOPSCOPE_PROCESS_OWN_PAUSE_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Pauses recording on the calling thread while it exists. Not on a slow path.
class OwnPause {
public:
  OwnPause();
  ~OwnPause();
  OwnPause(const OwnPause &) = delete;
  OwnPause &operator=(const OwnPause &) = delete;
  /// False: the thread isn't recorded, or is on a slow path.
  explicit operator bool() const { return Of != nullptr; }

private:
  Thread *Of = nullptr;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_OWN_PAUSE_H

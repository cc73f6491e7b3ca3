// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads get their trees at their first hooks.

#ifndef LOOPSCOPE_PROCESS_ATTACH_H
#define LOOPSCOPE_PROCESS_ATTACH_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// The thread's tree, attached at the first call. Null if out of memory
/// (counted). Call within a SlowPath.
Thread *attachThread();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_ATTACH_H

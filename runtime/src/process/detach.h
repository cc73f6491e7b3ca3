// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads leave their trees when they end.

#ifndef LOOPSCOPE_PROCESS_DETACH_H
#define LOOPSCOPE_PROCESS_DETACH_H

namespace loopscope::runtime {

/// Called once before main: from now on, they do.
void startThreadEnds();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_DETACH_H

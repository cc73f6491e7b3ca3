// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When each phase is lengthened: blocks of steps of one loop, in the profile.

#ifndef LOOPSCOPE_RUNTIME_SRC_WHATIF_EXPERIMENTS_H
#define LOOPSCOPE_RUNTIME_SRC_WHATIF_EXPERIMENTS_H

#include "base/thread_links.h"

namespace loopscope::runtime {

void registerExperiments();
/// Call it when a profile has been made.
void startExperiments();
/// Extension::StepEnded.
uint64_t countStep(Node *Step, uint64_t Steps, uint64_t Now);
void resetExperiments();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_WHATIF_EXPERIMENTS_H

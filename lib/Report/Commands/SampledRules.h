// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules that mark the loop which samples show, and the calls in it.

#ifndef LOOPSCOPE_REPORT_COMMANDS_SAMPLEDRULES_H
#define LOOPSCOPE_REPORT_COMMANDS_SAMPLEDRULES_H

#include "Analysis/Samples/SampledProgram.h"

#include <string>

namespace loopscope {

/// The items of a selection's list for \p Of, a loop that is known by its
/// lines: the loop, and each call with at least 0.5% of the loop's samples (of
/// the system's functions, operators and accessors 10%, of constructors 5%),
/// with comments that give their shares. What no rule can select is a comment;
/// if that is the loop itself, \p Instead is selected for it, unless it is
/// null.
std::string sampledRules(const LoopCandidate &Of,
                         const LoopCandidate *Instead = nullptr);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SAMPLEDRULES_H

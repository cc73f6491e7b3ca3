// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions a run shows to be better left without a hook in function
// mode, because the hook would cost more than it tells.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SMALLFUNCTIONS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SMALLFUNCTIONS_H

#include "Run/Model/Run.h"
#include "Support/HookWorth.h"
#include "Support/Result.h"

#include <vector>

namespace loopscope {

/// All functions that had hooks; one isn't worth its hook if the hook switched
/// itself off, or if an earlier run left the function without one.
///
/// If none had hooks, the functions seen in samples. A function without a loop
/// isn't worth a hook if it was always inlined and never seen to call a
/// function that wasn't: the compiler took it for small, or it is called in one
/// place.
///
/// An error if the run has neither hooks nor samples, or the samples have no
/// debug information.
Result<std::vector<JudgedFunction>> judgedFunctions(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SMALLFUNCTIONS_H

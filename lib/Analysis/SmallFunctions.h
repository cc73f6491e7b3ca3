// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run shows of functions that function mode should leave without a hook:
// the hook would cost more than it tells.

#ifndef LOOPSCOPE_ANALYSIS_SMALLFUNCTIONS_H
#define LOOPSCOPE_ANALYSIS_SMALLFUNCTIONS_H

#include "Run/Run.h"
#include "Support/HookWorth.h"
#include "Support/Result.h"

#include <vector>

namespace loopscope {

/// All functions that had hooks: one isn't worth its hook if that switched
/// itself off, or if an earlier run left it without one. Or those of samples
/// that had none: one that was always inlined and was never seen to call what
/// wasn't isn't worth a hook if it has no loop; the compiler took it for small,
/// or it is called in one place. An error where the run shows neither, or its
/// samples have no debug information.
Result<std::vector<JudgedFunction>> judgedFunctions(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SMALLFUNCTIONS_H

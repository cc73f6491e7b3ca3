// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces a run to one stage, for views whose tables aren't split by stage.

#ifndef LOOPSCOPE_RUN_COMBINE_SELECTSTAGE_H
#define LOOPSCOPE_RUN_COMBINE_SELECTSTAGE_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// What ran in stage \p Id of \p From, "fit" or "outside", including nested
/// stages; its wall time is the stage's. For a trace without a tree, its
/// events: PyTorch's are one fit stage, exported ones have their run's stages,
/// and device work stays with its launch. Fails if there is no such stage, and
/// names the existing ones.
Result<Run> selectStage(Run From, const std::string &Id);

/// "--stage: there is no stage 'test' here; use one of fit, validate"
std::string noSuchStage(const std::string &Id,
                        const std::vector<std::string> &Known);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_SELECTSTAGE_H

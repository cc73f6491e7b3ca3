// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's one stage alone, for views whose tables aren't by stage.

#ifndef LOOPSCOPE_RUN_COMBINE_SELECTSTAGE_H
#define LOOPSCOPE_RUN_COMBINE_SELECTSTAGE_H

#include "Run/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// What ran in stage \p Id of \p From, "fit" or "outside", stages within it
/// too; its wall time is the stage's. Of a trace without a tree, its events:
/// PyTorch's are one fit stage, those that we exported have their run's stages,
/// and device work stays with its launch. Fails when there is no such stage,
/// naming those that there are.
Result<Run> selectStage(Run From, const std::string &Id);

/// "--stage: there is no stage 'test' here; use one of fit, validate"
std::string noSuchStage(const std::string &Id,
                        const std::vector<std::string> &Known);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_SELECTSTAGE_H

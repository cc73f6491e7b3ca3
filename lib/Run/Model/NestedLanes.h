// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of loops that run inside other loops' steps.

#ifndef LOOPSCOPE_RUN_MODEL_NESTEDLANES_H
#define LOOPSCOPE_RUN_MODEL_NESTEDLANES_H

#include "Run/Model/Run.h"

namespace loopscope {

/// Whether the lane's loop does. The same site may have lanes of both kinds.
bool isNested(const Run &R, const HistoryLane &Lane);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_NESTEDLANES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the core calls of the recording of collectives.

#include "extension.h"

#include "collectives.h"

using namespace loopscope::runtime;

const Extension loopscope::runtime::CommExtension = {
    .Name = "comm",
    .CostKey = LOOPSCOPE_SUM_COST "comm",
    .Words = {},
    .Start = registerCollectives,
    .ThreadEnded = forgetWork,
    .NewCallPath = chooseCollective,
    .CollectiveBegins = beginCollective,
    .CollectiveEnded = endCollective,
    .ChildOfFork = resetCollectives,
};

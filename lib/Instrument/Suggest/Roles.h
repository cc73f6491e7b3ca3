// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roles of calls and functions in a source, by their names.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_ROLES_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_ROLES_H

#include "Instrument/Model/Bodies.h"
#include "Support/TrainingNames.h"

namespace loopscope::instrument {

using Role = TrainingRole;

Role roleOf(const SeenCall &Call);
/// What a function is for, by its name without scope.
Role roleOf(const SeenBody &Body);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_ROLES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of facts, as JSON spells them.

#ifndef LOOPSCOPE_RUN_MODEL_FACTNUMBERS_H
#define LOOPSCOPE_RUN_MODEL_FACTNUMBERS_H

#include "Run/Model/Facts.h"

#include <optional>
#include <string>

namespace loopscope {

/// The value of the number \p Text; what doubles can't hold stays text. None if
/// it isn't a number.
std::optional<FactValue> factOfNumber(const std::string &Text);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_FACTNUMBERS_H

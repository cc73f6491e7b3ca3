// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What identifies the same phase in several ranks.

#ifndef LOOPSCOPE_ANALYSIS_TREE_PHASEKEY_H
#define LOOPSCOPE_ANALYSIS_TREE_PHASEKEY_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <tuple>

namespace loopscope {

/// A phase by its name, its file without directories, and its line.
using PhaseKey = std::tuple<std::string, std::string, uint32_t>;

/// The key of node \p Node of \p R.
PhaseKey phaseKeyOf(const Run &R, uint32_t Node);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_PHASEKEY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of LibTorch operators, and links between operators. Plain values,
// checked. Part of the model (Run.h), filled by OperatorsReader.

#ifndef LOOPSCOPE_RUN_MODEL_OPERATORS_H
#define LOOPSCOPE_RUN_MODEL_OPERATORS_H

#include <cstdint>
#include <string>

namespace loopscope {

/// The inputs of an operator, as PyTorch has them.
struct OperatorInputs {
  std::string Shapes; ///< "[[64, 20], []]"; or LOOPSCOPE_OTHER_INPUTS
  std::string Types;  ///< "[float, Scalar]"; empty for other inputs

  auto operator<=>(const OperatorInputs &) const = default;
};

/// Spans of a backward operator that belong to spans of a forward one, which
/// created their nodes in the backward graph.
struct OperatorLink {
  uint32_t Backward = 0; ///< node
  uint32_t Forward = 0;  ///< node
  uint64_t Count = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_OPERATORS_H

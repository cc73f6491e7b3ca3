// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operators of LibTorch were called with, and links between them. Plain
// values, checked. Part of the model (Run.h).

#ifndef LOOPSCOPE_RUN_OPERATORS_H
#define LOOPSCOPE_RUN_OPERATORS_H

#include <cstdint>
#include <string>

namespace loopscope {

/// The inputs of an operator, as PyTorch has them.
struct OperatorInputs {
  std::string Shapes; ///< "[[64, 20], []]"; or what stands for the rest
  std::string Types;  ///< "[float, Scalar]"; empty where Shapes are the rest

  auto operator<=>(const OperatorInputs &) const = default;
};

/// Spans of a backward operator that belong to spans of a forward one: those
/// whose nodes in the backward graph the forward ones made.
struct OperatorLink {
  uint32_t Backward = 0; ///< node
  uint32_t Forward = 0;  ///< node
  uint64_t Count = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_OPERATORS_H

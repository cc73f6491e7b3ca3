// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of LibTorch.

#ifndef LOOPSCOPE_TORCH_EXTENSION_H
#define LOOPSCOPE_TORCH_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension TorchExtension;

/// Which operators are spans.
enum class OperatorChoice : uint8_t {
  ByMode, ///< all in advanced mode and for shapes, else none
  Off,
  On,
  Top ///< those that are in no other
};

/// What LOOPSCOPE= asks of the room.
struct TorchOptions {
  OperatorChoice Operators = OperatorChoice::ByMode;
  bool Shapes = false; ///< operators are apart by their inputs
};
/// Constant after start-up.
extern TorchOptions TorchSettings;

/// Whether any operator is to be recorded.
bool wantsOperators();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_EXTENSION_H

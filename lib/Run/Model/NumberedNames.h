// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of a trace that differ by a number alone: PyTorch has no keys, so
// programs put the number of a layer into the name of its annotation, and
// PyTorch itself numbers the instances of a module ("nn.Module: Linear_3").

#ifndef LOOPSCOPE_RUN_MODEL_NUMBEREDNAMES_H
#define LOOPSCOPE_RUN_MODEL_NUMBEREDNAMES_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace loopscope {

/// Makes the numbers keys of one phase, in a trace of PyTorch: "layer.0" and
/// "layer.1" become layer[0] and layer[1], "layers.3.mlp" becomes
/// layers.N.mlp[3]. Only of annotations and modules, where there are two
/// numbers at least, and a name has one. Call it once the tree is there.
void keyNumberedNames(Run &R);

/// What it did, of a run whose keys are still apart from its sites.
struct NumberedNames {
  size_t Names = 0;                ///< that became keys
  std::vector<std::string> Phases; ///< of these keys
};
NumberedNames numberedNames(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_NUMBEREDNAMES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only code with LibTorch's headers can read of an operator, sequence
// numbers and inputs: loopscope/torch_facts.h. A target's own source hands over
// functions for it, which are called once LibTorch is observed and is the one
// that they were compiled for.

#ifndef LOOPSCOPE_TORCH_FACTS_OF_TARGET_H
#define LOOPSCOPE_TORCH_FACTS_OF_TARGET_H

#include "library.h"

#include "base/objects.h"

#pragma GCC visibility push(default)
#include <loopscope/torch_facts.h>
#pragma GCC visibility pop

namespace loopscope::runtime {

/// The facts to use; null where there are none.
const loopscope_torch_facts *torchFacts();

/// LibTorch, whose version TORCH says, is observed from now on.
void allowFacts(const TorchLibrary &Torch);

/// Where other copies of the runtime hand over facts.
EntryPoint factsEntry();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_FACTS_OF_TARGET_H

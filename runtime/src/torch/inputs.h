// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOOPSCOPE=shapes=on: operators apart by the shapes and types of their inputs.
// Each list of inputs of an operator gets a site of its own, whose function is
// the list's text (profile_format_operators.h); so it has call paths, with all
// that call paths have. An operator may have 64 of them, all together 4096.

#ifndef LOOPSCOPE_TORCH_INPUTS_H
#define LOOPSCOPE_TORCH_INPUTS_H

#include "tree/span_names.h"

namespace loopscope::runtime {

/// Registers the counter. When the extension starts.
void registerInputs();

/// The site of the operator NAME for the inputs of FUNCTION, which begins; the
/// name's own without facts or memory. Takes a lock where they are new.
const loopscope_site *siteOfInputs(const SpanName &Name, const void *Function);

/// For a forked child: nobody else is in here.
void resetInputsAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_INPUTS_H

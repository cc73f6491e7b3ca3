// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --suggest knows of a program.
//
// The functions of a translation unit, their loops, and what those call and
// assign, as plain values: what one file says of a function that another one
// calls is put together later (Suggest.h).

#ifndef LOOPSCOPE_INSTRUMENT_FIND_TRAININGLOOPS_H
#define LOOPSCOPE_INSTRUMENT_FIND_TRAININGLOOPS_H

#include "Instrument/Model/Bodies.h"

#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace loopscope::instrument {

class Places;

/// The functions outside system headers.
std::vector<SeenBody> findBodies(clang::ASTContext &Context,
                                 const Places &Where);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_TRAININGLOOPS_H

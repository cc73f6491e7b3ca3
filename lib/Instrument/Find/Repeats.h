// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles files that a unit includes more than once.
//
// A file is rewritten once, however often a unit includes it. So the inserted
// text must be right each time, for example in X-macro headers and in pieces of
// code that are included into the middle of functions.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_REPEATS_H
#define LOOPSCOPE_INSTRUMENT_FIND_REPEATS_H

#include "Instrument/Find/Annotations.h"
#include "Instrument/Text/Inclusions.h"

namespace loopscope::instrument {

/// Removes from \p Annotations those whose hooks can't be the same each time
/// their file is included, and returns them. Each remaining one appears once;
/// its function, or the names of its key's values, are "" if the inclusions
/// differ in them.
std::vector<Found> takeRepeated(std::vector<Found> &Annotations,
                                const PreprocessorLog &Log,
                                const clang::SourceManager &SM);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_REPEATS_H

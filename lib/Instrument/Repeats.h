// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that a unit includes more than once.
//
// A file is rewritten once, whatever the number of times a unit includes it. So
// what is inserted must be right each time: X-macro headers, and pieces of code
// that are included into the middle of functions.

#ifndef LOOPSCOPE_INSTRUMENT_REPEATS_H
#define LOOPSCOPE_INSTRUMENT_REPEATS_H

#include "Instrument/Annotations.h"
#include "Instrument/Inclusions.h"

namespace loopscope::instrument {

/// Takes the annotations out of FOUND that can't be the same hooks each time
/// that their file is included, and returns them. Of those that stay, each is
/// in FOUND once; its function is "" where the inclusions have several.
std::vector<Found> takeRepeated(std::vector<Found> &Annotations,
                                const PreprocessorLog &Log,
                                const clang::SourceManager &SM);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_REPEATS_H

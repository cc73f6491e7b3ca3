// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses loops over batches where no call says what it does.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_GUESSEDLOOPS_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_GUESSEDLOOPS_H

#include "Instrument/Suggest/StepLoops.h"

namespace loopscope::instrument {

/// The loops in \p P that may be over batches, for programs in which
/// findStepLoops finds none. They are known by the names of variables and by
/// the shape of the loops: LoopClues.h has the clues. All are doubtful.
std::vector<StepLoop> guessStepLoops(const Program &P);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_GUESSEDLOOPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the loops over batches.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_STEPLOOPS_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_STEPLOOPS_H

#include "Instrument/Suggest/Program.h"

namespace loopscope::instrument {

/// A loop that may be the one over batches.
struct StepLoop {
  ScopeId Loop;
  int Score = 0;
  bool Data = false;   ///< It gets data, or counts it.
  bool Inline = false; ///< Known by its assignments alone.
  bool Named = false;  ///< Known by the parts that its own calls are.
  bool Unseen = false; ///< Its step is in a file that isn't given.
  bool Epochs = false; ///< It is the loop over epochs, its steps unseen.
  std::string Why;
};

/// The loops in \p P whose iterations are training steps; none is inside
/// another's step.
std::vector<StepLoop> findStepLoops(const Program &P);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_STEPLOOPS_H

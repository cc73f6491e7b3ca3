// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A selection file for a program without annotations.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_SUGGEST_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_SUGGEST_H

#include "Instrument/Model/Bodies.h"

namespace loopscope::instrument {

/// A rule of a selection or, if Yaml is empty, a remark.
struct Suggested {
  std::string Yaml; ///< What stands between the braces.
  std::string File; ///< Base name of the file that it concerns.
  unsigned Line = 0;
  std::string Why;
};

/// The rules that fit the training loops of a program, whose functions BODIES
/// are, those of headers perhaps more than once.
///
/// A loop over batches is the innermost one around a step that gets data, or
/// the innermost one. A step is known by its parts (forward, loss, backward,
/// optimizer, judged by the callee's name), by a callee that is named or built
/// like one, or by what it assigns: weights, by gradients and rates. The loop
/// around it, perhaps in another function, that counts epochs or iterations is
/// the one over epochs. A loop in the step or the epoch that goes forward only
/// validates. Where no step is known that way, GuessedLoops.h guesses the loops
/// from their variables and shape.
std::vector<Suggested> suggestRules(std::vector<SeenBody> Bodies);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_SUGGEST_H

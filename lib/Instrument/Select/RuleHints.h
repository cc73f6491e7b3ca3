// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses what a rule that matches nothing was meant to match.

#ifndef LOOPSCOPE_INSTRUMENT_SELECT_RULEHINTS_H
#define LOOPSCOPE_INSTRUMENT_SELECT_RULEHINTS_H

#include "Instrument/Select/Selection.h"
#include "Launch/Record.h"

namespace loopscope::instrument {

/// What rules can name in a function.
struct SeenFunction {
  std::string Name;
  std::string Signature;
  std::vector<std::string> Loops; ///< "2: for i".
  std::vector<std::string> Calls; ///< Each once.
};

/// Whether \p Name, a qualified one, may be what \p Text was meant to be.
bool isNear(llvm::StringRef Name, llvm::StringRef Text);

/// The function in \p All whose name is nearest to the one in \p R, with its
/// loops and calls; an empty hint if none is near.
launch::RuleHint hintFor(const Rule &R, const std::vector<SeenFunction> &All);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SELECT_RULEHINTS_H

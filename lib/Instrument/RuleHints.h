// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rule that matches nothing may have meant.

#ifndef LOOPSCOPE_INSTRUMENT_RULEHINTS_H
#define LOOPSCOPE_INSTRUMENT_RULEHINTS_H

#include "Instrument/Selection.h"
#include "Launch/Record.h"

namespace loopscope::instrument {

/// What rules can name in a function.
struct SeenFunction {
  std::string Name;
  std::string Signature;
  std::vector<std::string> Loops; ///< "2: for i".
  std::vector<std::string> Calls; ///< Each once.
};

/// Whether NAME, a qualified one, may be what TEXT was meant to be.
bool isNear(llvm::StringRef Name, llvm::StringRef Text);

/// The function of ALL whose name is nearest to what R says, with its loops and
/// calls; an empty hint where none is near.
launch::RuleHint hintFor(const Rule &R, const std::vector<SeenFunction> &All);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_RULEHINTS_H

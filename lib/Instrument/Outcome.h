// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outcome of a run over some files.

#ifndef LOOPSCOPE_INSTRUMENT_OUTCOME_H
#define LOOPSCOPE_INSTRUMENT_OUTCOME_H

#include "Instrument/Instrument.h"
#include "Instrument/Parse/Parse.h"
#include "Instrument/Write/List.h"

#include "llvm/ADT/Twine.h"

namespace loopscope::instrument {

using RuleMatches = std::map<unsigned, std::set<std::string>>;
using RuleHints = std::map<unsigned, launch::RuleHint>;

/// The outcome of one job, or of several together.
struct Outcome {
  bool Good = true;
  std::string Out, Err; ///< What is to be printed.
  std::vector<Listed> Rows;
  std::vector<SeenBody> Bodies; ///< For --suggest.
  RuleMatches Matches;
  RuleHints Hints; ///< The nearest for each rule.
  std::set<unsigned> RefusedRules;
  std::vector<launch::FunctionOutcome> Functions; ///< Of function mode.

  void add(Outcome More);
};

/// Runs \p Jobs, several at a time.
Outcome runJobs(const std::vector<Job> &Jobs, const Options &O);

/// What each rule of \p Select, which may be null, matched, with the rule's
/// place.
std::vector<launch::RuleOutcome> ruleOutcomes(const Selection *Select,
                                              const RuleMatches &Matches,
                                              const RuleHints &Hints);

/// Writes the rules that --suggest guesses for the training loops in \p Bodies,
/// without those that --select would refuse in the files of \p Jobs, to the
/// output path of \p O or to \p Out. False, and nothing is written, if there
/// are none.
bool printSuggestion(std::vector<SeenBody> Bodies, const std::vector<Job> &Jobs,
                     const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

void printError(llvm::raw_ostream &Err, const llvm::Twine &Text);
void printWarning(llvm::raw_ostream &Err, const llvm::Twine &Text);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_OUTCOME_H

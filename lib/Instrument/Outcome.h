// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run over some files leaves behind.

#ifndef LOOPSCOPE_INSTRUMENT_OUTCOME_H
#define LOOPSCOPE_INSTRUMENT_OUTCOME_H

#include "Instrument/Instrument.h"
#include "Instrument/List.h"
#include "Instrument/Parse.h"

#include "llvm/ADT/Twine.h"

namespace loopscope::instrument {

using RuleMatches = std::map<unsigned, std::set<std::string>>;
using RuleHints = std::map<unsigned, launch::RuleHint>;

/// What one job, or several together, left.
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

/// Does JOBS, several at a time.
Outcome runJobs(const std::vector<Job> &Jobs, const Options &O);

/// What each rule of SELECT, which may be null, matched, with its place.
std::vector<launch::RuleOutcome> ruleOutcomes(const Selection *Select,
                                              const RuleMatches &Matches,
                                              const RuleHints &Hints);

/// Prints the guess at BODIES' training loops that --suggest asks for, without
/// the rules that --select would refuse in the files of JOBS. False where there
/// is none.
bool printSuggestion(std::vector<SeenBody> Bodies, const std::vector<Job> &Jobs,
                     const Options &O, llvm::raw_ostream &Out,
                     llvm::raw_ostream &Err);

void printError(llvm::raw_ostream &Err, const llvm::Twine &Text);
void printWarning(llvm::raw_ostream &Err, const llvm::Twine &Text);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_OUTCOME_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in a step.
//
// Suggest.cpp finds the loops; this writes the rules for their parts.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_STEPPARTS_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_STEPPARTS_H

#include "Instrument/Suggest/SuggestedRules.h"

namespace loopscope::instrument {

class StepParts {
public:
  /// \p Steps are the loops over batches. \p Guessing: no name says which
  /// loops those are, so names of variables count for more.
  StepParts(const Program &P, RuleWriter &Rules, const std::set<ScopeId> &Steps,
            bool Guessing)
      : P(P), Rules(Rules), Steps(Steps), Guessing(Guessing) {}

  /// Rules for the parts of the step in \p Loop; of its calls as they come if
  /// none has a name that says what it is for. False if there is nothing.
  bool add(ScopeId Loop);
  /// The same for a loop that validates: none for what its functions call.
  void addValidation(ScopeId Loop);
  /// Phases named after the calls in \p Loop, or else, in a guess, after those
  /// of the loops in it. \p Around says in what the calls are.
  void addCalls(ScopeId Loop, const char *Around);

  /// Whether \p Loop gets data and goes forward, and nothing else.
  bool validates(ScopeId Loop) const;

private:
  bool hasPhases(size_t Before) const;
  void callsOf(ScopeId At, const char *Around);
  std::vector<ScopeId> scopesOf(ScopeId S) const;
  void partsIn(ScopeId S, int Depth);
  bool whole(ScopeId At, const SeenCall &Call, Role R,
             std::set<std::string> &Known, std::vector<int> &Deeper);
  bool asWhole(ScopeId Loop, const std::vector<ScopeId> &Step);

  const Program &P;
  RuleWriter &Rules;
  const std::set<ScopeId> &Steps;
  bool Guessing;
  std::set<ScopeId> Emitting; ///< Of one step; recursion ends there.
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_STEPPARTS_H

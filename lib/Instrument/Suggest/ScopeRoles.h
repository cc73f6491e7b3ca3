// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's calls are for.
//
// Questions about one scope of a Program: which parts of a training step its
// calls are, and what it draws, counts and passes on. StepLoops.cpp uses the
// answers to decide which loops are steps, Suggest.cpp to find what is in a
// step.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_SCOPEROLES_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_SCOPEROLES_H

#include "Instrument/Suggest/Program.h"

#include <utility>

namespace loopscope::instrument {

using Parts = std::set<Role>;
using Roles = std::vector<std::pair<const SeenCall *, Role>>;

/// Whether something in \p P changes weights.
bool learns(const Parts &P);

/// The calls of a scope with their roles. Among updates after a backward pass,
/// or else beside one, the first is the optimizer's step if nothing else is.
/// The backward pass may be in an inner loop that updates nothing.
Roles rolesIn(const Program &P, ScopeId S);

/// The parts of a step that \p S itself calls.
Parts ownParts(const Program &P, ScopeId S);
/// Those of LOOP and the loops in it.
Parts partsOf(const Program &P, ScopeId Loop);

/// Whether \p Is holds for a variable of \p Loop or a name in its head.
bool names(const Program &P, ScopeId Loop, bool (*Is)(std::string_view));

/// Whether the loop's own variable, rather than its bound, counts epochs; a
/// bound may be one of many in a condition.
bool countsEpochs(const Program &P, ScopeId Loop);

/// Whether \p Loop, or a loop in it that changes no weights, gets data.
bool getsData(const Program &P, ScopeId Loop);

/// What the arguments of calls in \p Loop say: that it trains; that it doesn't.
std::pair<bool, bool> modes(const Program &P, ScopeId Loop);

/// The numbers of all scopes of \p Body, itself first.
std::vector<int> allScopes(const Program &P, int Body);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_SCOPEROLES_H

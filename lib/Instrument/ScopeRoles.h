// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the calls of a loop are for ----------*- C++ -*.
//
// Questions about one scope of a Program: which parts of a training step its
// calls are, and what it draws, counts and passes on. StepLoops.cpp decides by
// them which loops are steps, Suggest.cpp what is in one.

#ifndef LOOPSCOPE_INSTRUMENT_SCOPEROLES_H
#define LOOPSCOPE_INSTRUMENT_SCOPEROLES_H

#include "Instrument/Program.h"

#include <utility>

namespace loopscope::instrument {

using Parts = std::set<Role>;
using Roles = std::vector<std::pair<const SeenCall *, Role>>;

/// Whether something changes weights among P.
bool learns(const Parts &P);

/// The calls of a scope with their roles: of updates behind a backward pass,
/// or else beside one, the first is the optimizer's step, if nothing else is.
/// The backward pass may be that of an inner loop that updates nothing.
Roles rolesIn(const Program &P, ScopeId S);

/// The parts of a step that S calls itself.
Parts ownParts(const Program &P, ScopeId S);
/// Those of LOOP and the loops in it.
Parts partsOf(const Program &P, ScopeId Loop);

/// Whether a variable of LOOP or a name in its head IS so.
bool names(const Program &P, ScopeId Loop, bool (*Is)(std::string_view));

/// Whether the loop's own variable, not its bound, counts epochs; a bound
/// may be one of many in a condition.
bool countsEpochs(const Program &P, ScopeId Loop);

/// Whether LOOP, or a loop in it that teaches nothing, gets data.
bool getsData(const Program &P, ScopeId Loop);

/// What the arguments of LOOP's calls say: that it trains, that it doesn't.
std::pair<bool, bool> modes(const Program &P, ScopeId Loop);

/// The numbers of all scopes of BODY, which is the first.
std::vector<int> allScopes(const Program &P, int Body);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SCOPEROLES_H

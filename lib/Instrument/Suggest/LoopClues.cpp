// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's variables and shape say about it.

#include "Instrument/Suggest/LoopClues.h"

#include <algorithm>

namespace loopscope::instrument {
namespace {

bool holdsForOwn(const Program &P, ScopeId Loop, bool (*Is)(std::string_view)) {
  const SeenScope &S = P.scope(Loop);
  return !S.Names.empty() && Is(S.Names.front());
}

bool isStep(std::string_view Variable) {
  return hasWord(Variable, {"step", "batch", "minibatch", "mb"});
}

bool countsSteps(const Program &P, ScopeId Loop) {
  return holdsForOwn(P, Loop, isStep);
}
bool goesOverData(const Program &P, ScopeId Loop) {
  return !countsSteps(P, Loop) && names(P, Loop, isData);
}
/// A loop that counts iterations around another one rather counts epochs.
bool iterates(const Program &P, ScopeId Loop) {
  return names(P, Loop, isIterations) &&
         std::ranges::none_of(P.nest(Loop), [&](int Each) {
           ScopeId Inner{Loop.Body, Each};
           return Inner != Loop && !P.scope(Inner).Pragma &&
                  workOf(P, Inner) != ScopeWork::None;
         });
}
bool isNested(const Program &P, ScopeId Loop) {
  return P.scope(Loop).Outer > 0 || P.nest(Loop).size() > 1;
}
bool inTraining(const Program &P, ScopeId Loop) {
  return P.isInTraining(Loop.Body);
}
bool nestedInTraining(const Program &P, ScopeId Loop) {
  return inTraining(P, Loop) && P.scope(Loop).Outer > 0;
}
bool insideIterations(const Program &P, ScopeId Loop) {
  return std::ranges::any_of(P.loopsAround(Loop), [&](ScopeId Outer) {
    return names(P, Outer, isIterations);
  });
}
bool callsWork(const Program &P, ScopeId Loop) {
  return workOf(P, Loop) == ScopeWork::Calls;
}

using Assignments = std::vector<const SeenAssignment *>;

/// Whether TARGET is adjusted by something that was computed from it.
bool feedsBack(const Assignments &All, const std::string &Target) {
  constexpr int Rounds = 8; // for long chains in the wrong order
  std::set<std::string> From = {Target};
  size_t Known = 0;
  for (int Round = 0; Round < Rounds && Known != From.size(); ++Round) {
    Known = From.size();
    for (const SeenAssignment *A : All)
      if (std::ranges::any_of(A->Sources, [&](const std::string &Name) {
            return From.contains(Name);
          }))
        From.insert(A->Target);
  }
  From.erase(Target);
  return std::ranges::any_of(All, [&](const SeenAssignment *A) {
    return A->Target == Target && A->Accumulates && A->Real &&
           std::ranges::any_of(A->Sources, [&](const std::string &Name) {
             return From.contains(Name);
           });
  });
}

/// Whether LOOP, or a loop in it, adjusts a value by what it computes from it.
bool feedsBack(const Program &P, ScopeId Loop) {
  Assignments All;
  for (int Each : P.nest(Loop))
    for (const SeenAssignment &A : P.scope({Loop.Body, Each}).Assignments)
      All.push_back(&A);
  return std::ranges::any_of(All, [&](const SeenAssignment *A) {
    return A->Accumulates && A->Real && feedsBack(All, A->Target);
  });
}

/// The innermost such loop; a loop that is alone rather searches for a root.
bool adjusts(const Program &P, ScopeId Loop) {
  return isNested(P, Loop) && feedsBack(P, Loop) &&
         std::ranges::none_of(P.nest(Loop), [&](int Each) {
           return Each != Loop.Scope && feedsBack(P, {Loop.Body, Each});
         });
}

struct Clue {
  bool (*Holds)(const Program &, ScopeId);
  int Worth;
  const char *Reason;
};

/// From a sum of 4 on, a loop is suggested. A row alone is enough only if it is
/// rare outside training.
constexpr Clue KnownClues[] = {
    {adjusts, 4, "it adjusts a value by what it computes from that value"},
    {countsSteps, 3, "it goes over steps or batches, by its names"},
    {getsData, 2, "it gets data"},
    {goesOverData, 2, "it goes over data, by its names"},
    {iterates, 2, "it counts iterations"},
    {inTraining, 2, "its function trains, by its name"},
    {insideIterations, 1, "it is in a loop that counts iterations"},
    {callsWork, 1, "it calls the program's functions"},
    {nestedInTraining, 1, "it is the inner loop of a function that trains"}};

} // namespace

Clues cluesOf(const Program &P, ScopeId Loop) {
  Clues Sum;
  int Best = 0;
  for (const Clue &Each : KnownClues) {
    if (!Each.Holds(P, Loop))
      continue;
    Sum.Score += Each.Worth;
    if (Each.Worth > Best) {
      Best = Each.Worth;
      Sum.Why = Each.Reason;
    }
  }
  return Sum;
}

bool goesOverEpochs(const Program &P, ScopeId Loop) {
  return names(P, Loop, isEpochs);
}

bool namesValidation(const Program &P, ScopeId Loop) {
  return names(P, Loop, [](std::string_view Name) {
    return hasWord(Name, {"valid", "validation", "validate", "heldout"}) ||
           // Alone, these are other things, too: a value, a device.
           (wordsOf(Name).size() > 1 &&
            hasWord(Name, {"val", "eval", "test", "dev", "held"}));
  });
}

bool mayWork(const SeenCall &Call) {
  return !Call.System && !isAside(Call.Name) && !isAccess(Call.Name) &&
         roleOf(Call) != Role::Draw && roleOf(Call) != Role::Evaluate;
}

ScopeWork workIn(const Program &P, ScopeId S) {
  const SeenScope &In = P.scope(S);
  if (std::ranges::any_of(In.Calls, [](const SeenCall &Call) {
        return !Call.InHead && mayWork(Call);
      }))
    return ScopeWork::Calls;
  return std::ranges::any_of(
             In.Assignments,
             [](const SeenAssignment &A) { return A.Accumulates && A.Real; })
             ? ScopeWork::Arithmetic
             : ScopeWork::None;
}

ScopeWork workOf(const Program &P, ScopeId Loop) {
  ScopeWork Most = ScopeWork::None;
  for (int Each : P.nest(Loop))
    Most = std::max(Most, workIn(P, {Loop.Body, Each}));
  return Most;
}

} // namespace loopscope::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in a step.

#include "Instrument/Suggest/StepParts.h"

#include "Instrument/Suggest/LoopClues.h"

#include <fmt/format.h>

#include <algorithm>

namespace loopscope::instrument {

bool StepParts::add(ScopeId Loop) {
  size_t Before = Rules.rules().size();
  Emitting.clear();
  partsIn(Loop, 0);
  if (!hasPhases(Before))
    addCalls(Loop, "step");
  return hasPhases(Before);
}

void StepParts::addValidation(ScopeId Loop) {
  size_t Before = Rules.rules().size();
  Emitting.clear();
  partsIn(Loop, 3);
  if (!hasPhases(Before))
    addCalls(Loop, "step");
}

bool StepParts::hasPhases(size_t Before) const {
  return std::any_of(
      Rules.rules().begin() + static_cast<long>(Before), Rules.rules().end(),
      [](const Suggested &S) { return S.Yaml.starts_with("kind: phase"); });
}

/// If no call in LOOP has a name that says what it is for, adds phases named
/// after the calls: its own, or else, in a guess, those of the loops in it.
void StepParts::addCalls(ScopeId Loop, const char *Around) {
  size_t Before = Rules.rules().size();
  for (ScopeId At : scopesOf(Loop))
    if ((At == Loop || Guessing) && !hasPhases(Before) && !P.scope(At).Pragma)
      callsOf(At, Around);
}

void StepParts::callsOf(ScopeId At, const char *Around) {
  constexpr size_t Most = 6;
  std::set<unsigned> Statements;
  std::set<std::string> Known;
  for (const SeenCall &Call : P.scope(At).Calls) {
    const std::vector<int> &Targets = P.targets(Call);
    bool Works = std::ranges::any_of(Targets, [&](int Each) {
      const SeenBody &B = P.body(Each);
      return B.Scopes.size() > 1 || B.Scopes.front().Calls.size() > 2;
    });
    Works |= Targets.empty() && Call.Via.empty();
    if (Works && Call.Statement != 0 && !Call.InHead && mayWork(Call) &&
        Known.size() < Most && Statements.insert(Call.Statement).second &&
        Known.insert(Call.Callee).second)
      Rules.named(At, Call,
                  fmt::format("unsure: a call in the {}, whose name doesn't "
                              "say what it is for",
                              Around));
  }
}

/// The scopes of the step in S: S and the loops in it that don't belong to
/// others.
std::vector<ScopeId> StepParts::scopesOf(ScopeId S) const {
  std::vector<ScopeId> All;
  std::set<int> Left;
  for (int Each : S.isLoop() ? P.nest(S) : allScopes(P, S.Body)) {
    ScopeId At{S.Body, Each};
    bool Own = Each != S.Scope && (Steps.contains(At) || validates(At));
    if (Own || Left.contains(P.scope(At).Outer)) {
      if (Each != S.Scope) {
        Left.insert(Each);
        continue;
      }
    }
    All.push_back(At);
  }
  return All;
}

bool StepParts::validates(ScopeId Loop) const {
  if (P.scope(Loop).Ordinal == 0)
    return false;
  Parts All = partsOf(P, Loop);
  auto [Trains, Validates] = modes(P, Loop);
  if (learns(All) || All.contains(Role::ZeroGrad) || Trains)
    return false;
  for (const SeenCall &Call : P.scope(Loop).Calls) {
    Role R = roleOf(Call);
    if (R == Role::Step || R == Role::Train || R == Role::Epoch)
      return false;
    for (int Target : P.targets(Call))
      if (!isPart(R) && P.teaches(Target) > 1 && !Validates)
        return false;
  }
  bool Named = namesValidation(P, Loop) && workOf(P, Loop) != ScopeWork::None;
  return (getsData(P, Loop) && (!All.empty() || Validates || Named)) ||
         (Guessing && Named);
}

/// Rules for the parts of the step in S: the calls of a loop, or of a
/// function called in it.
void StepParts::partsIn(ScopeId S, int Depth) {
  if (Depth > 4 || !Emitting.insert(S).second)
    return;
  std::set<std::string> Known;
  std::vector<ScopeId> Scopes = scopesOf(S);
  std::vector<int> Deeper;
  std::set<int> Whole;
  for (ScopeId At : Scopes) {
    if (At != S && (Whole.contains(P.scope(At).Outer) || asWhole(At, Scopes))) {
      Whole.insert(At.Scope);
      continue;
    }
    std::set<unsigned> Statements;
    Roles Here = rolesIn(P, At);
    for (auto [Call, R] : Here) {
      bool First =
          Call->Statement == 0 || Statements.insert(Call->Statement).second;
      if (isPart(R) || R == Role::Draw) {
        if (First && !Call->InHead && Known.insert(Call->Callee).second)
          Rules.call(At, *Call, R, Here);
        else if (!First)
          continue;
        continue;
      }
      if (R == Role::Evaluate || isAside(Call->Name) ||
          whole(At, *Call, R, Known, Deeper) || R == Role::None)
        Statements.erase(Call->Statement);
    }
  }
  for (int Body : Deeper)
    partsIn({Body, 0}, Depth + 1);
}

/// A call that does a whole step, or a part of it that has no name.
bool StepParts::whole(ScopeId At, const SeenCall &Call, Role R,
                      std::set<std::string> &Known, std::vector<int> &Deeper) {
  const std::vector<int> &Targets = P.targets(Call);
  bool Teaches = std::ranges::any_of(
      Targets, [&](int Each) { return P.teaches(Each) > 1; });
  Teaches |= R == Role::Update && !Targets.empty() &&
             std::ranges::any_of(Call.Arguments, isLearning);
  if (!Teaches && ((R != Role::Step && R != Role::Train) || !Targets.empty()))
    return false;
  size_t Inner = 0;
  bool Works = Targets.empty();
  for (int Each : Targets) {
    Parts All;
    // A function that only calls another is skipped.
    Works |= P.body(Each).Scopes.size() > 1 ||
             P.body(Each).Scopes.front().Calls.size() > 1;
    for (int Scope : allScopes(P, Each))
      All.merge(ownParts(P, {Each, Scope}));
    Inner = std::max(Inner, All.size());
    Deeper.push_back(Each);
  }
  // Its parts are phases, not the whole.
  if (Inner < 2 && Works && Call.Via.empty() && !Call.InHead &&
      Known.insert(Call.Callee).second)
    Rules.named(At, Call,
                Targets.empty()
                    ? "by its name it trains; for its parts give its file to "
                      "--suggest as well"
                    : "it changes weights");
  return true;
}

/// If a loop in the step consists of one part, the whole loop is that part,
/// unless its calls are phases already, or most of them do something else.
bool StepParts::asWhole(ScopeId Loop, const std::vector<ScopeId> &Step) {
  Parts All = partsOf(P, Loop);
  if (All.size() != 1 || P.scope(Loop).Ordinal == 0 ||
      names(P, Loop, isIterations))
    return false;
  std::vector<int> Nest = P.nest(Loop);
  std::set<std::string> Elsewhere;
  for (ScopeId At : Step)
    if (std::ranges::find(Nest, At.Scope) == Nest.end())
      for (const SeenCall &Call : P.scope(At).Calls)
        Elsewhere.insert(Call.Callee);
  std::set<std::string> Same, Others;
  for (int Each : Nest)
    for (const SeenCall &Call : P.scope({Loop.Body, Each}).Calls) {
      bool Part = isPart(roleOf(Call));
      if (roleOf(Call) == Role::Draw ||
          (Part && Elsewhere.contains(Call.Callee)))
        return false;
      if (Part || mayWork(Call))
        (Part ? Same : Others).insert(Call.Callee);
    }
  return Others.size() <= Same.size() + 1 &&
         Rules.wholeLoop(Loop, *All.begin());
}

} // namespace loopscope::instrument

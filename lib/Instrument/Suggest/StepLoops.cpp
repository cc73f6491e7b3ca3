// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the loops over batches.

#include "Instrument/Suggest/StepLoops.h"

#include "Instrument/Suggest/LoopClues.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace loopscope::instrument {
namespace {

/// Adds those of MORE that aren't in LOOPS.
void addNew(std::vector<StepLoop> &Loops, const std::vector<StepLoop> &More) {
  for (const StepLoop &L : More)
    if (std::ranges::none_of(
            Loops, [&](const StepLoop &Known) { return Known.Loop == L.Loop; }))
      Loops.push_back(L);
}

class Search {
public:
  explicit Search(const Program &P)
      : P(P), Found(P.bodies().size()), Done(P.bodies().size()) {}

  std::vector<StepLoop> run() {
    std::vector<StepLoop> Loops;
    for (size_t I = 0; I < P.bodies().size(); ++I)
      addNew(Loops, stepLoops(static_cast<int>(I)));
    // Drops loops that only call functions with step loops, and loops inside
    // another loop's step.
    std::erase_if(Loops, [&](const StepLoop &L) {
      return Replaced.contains(L.Loop) || isReplaced(L, Loops);
    });
    return Loops;
  }

private:
  static constexpr int Enough = 5;

  /// Whether BODY is a part of a step, whose loops aren't over batches.
  bool isOpaque(int Body) const {
    std::string_view Name = plainName(P.body(Body).Name);
    if (Name.empty())
      return false;
    Role R = roleOf(P.body(Body));
    bool Part = isPart(R) || (hasWord(Name, {"gradient", "gradients"}) &&
                              !hasWord(Name, {"descent", "train"}));
    // A part of a step that gets data for many steps, or counts epochs, is more
    // than a part.
    if (Part)
      for (int Each : allScopes(P, Body))
        if (Each != 0 &&
            (getsData(P, {Body, Each}) || countsEpochs(P, {Body, Each})))
          return false;
    return Part || R == Role::Draw || R == Role::Step || R == Role::Update ||
           R == Role::Evaluate || isAside(Name);
  }

  /// The step loops of BODY and of the functions that it calls.
  const std::vector<StepLoop> &stepLoops(int Body) {
    auto Index = static_cast<size_t>(Body);
    if (Done[Index])
      return Found[Index];
    Done[Index] = true; // recursion finds nothing
    std::vector<StepLoop> All;
    if (!isOpaque(Body))
      All = within({Body, 0});
    Found[Index] = std::move(All);
    return Found[Index];
  }

  /// The step loops in a scope: in its loops and calls.
  std::vector<StepLoop> within(ScopeId S) {
    std::vector<StepLoop> All;
    const std::vector<SeenScope> &Scopes = P.body(S.Body).Scopes;
    for (size_t I = static_cast<size_t>(S.Scope) + 1; I < Scopes.size(); ++I)
      if (Scopes[I].Outer == S.Scope)
        addNew(All, judged({S.Body, static_cast<int>(I)}));
    for (const SeenCall &Call : P.scope(S).Calls)
      if (roleOf(Call) != Role::Evaluate)
        for (int Target : P.targets(Call))
          addNew(All, stepLoops(Target));
    return All;
  }

  /// For a LOOP over epochs: the loop over batches of a function that it calls
  /// and that is named like one step.
  std::optional<StepLoop> batchesOf(ScopeId Loop) const {
    if (!names(P, Loop, isEpochs))
      return std::nullopt;
    for (auto [Call, R] : rolesIn(P, Loop)) {
      if (R != Role::Step)
        continue;
      for (int Target : P.targets(*Call))
        for (int Each : allScopes(P, Target)) {
          ScopeId Inner{Target, Each};
          if (P.scope(Inner).Outer != 0 || !names(P, Inner, isData) ||
              workOf(P, Inner) != ScopeWork::Calls)
            continue;
          StepLoop L;
          L.Loop = Inner;
          L.Score = Enough;
          L.Data = true;
          L.Why = fmt::format("it goes over data, by its names, in {}, which "
                              "an epoch calls",
                              Call->Name);
          return L;
        }
    }
    return std::nullopt;
  }

  /// LOOP itself, or the step loops in it.
  std::vector<StepLoop> judged(ScopeId Loop) {
    if (std::optional<StepLoop> Batches = batchesOf(Loop))
      return {std::move(*Batches)};
    std::vector<StepLoop> Inside = within(Loop);
    std::optional<StepLoop> Self = judge(Loop, !Inside.empty());
    if (!Self || Self->Score < Enough)
      return Inside;
    if (Inside.empty())
      return {*Self};
    bool Better = Self->Data && !countsEpochs(P, Loop) &&
                  std::ranges::none_of(Inside, [](const StepLoop &L) {
                    return L.Data && L.Score >= Enough;
                  });
    // Evidence from calls counts more than evidence from assignments.
    Better |= !Self->Inline && Self->Named &&
              std::ranges::all_of(Inside, &StepLoop::Inline);
    // Several loops that change weights share the work of one step.
    Better |= Self->Inline && Inside.size() > 1 &&
              std::ranges::all_of(Inside, [&](const StepLoop &L) {
                return L.Inline && L.Loop.Body == Loop.Body;
              });
    if (Better || accumulates(Loop, Inside)) {
      for (const StepLoop &L : Inside)
        Replaced.insert(L.Loop);
      return {*Self};
    }
    return Inside;
  }

  /// Whether LOOP itself has the optimizer's step while a loop in it has the
  /// backward pass, and so accumulates gradients.
  bool accumulates(ScopeId Loop, const std::vector<StepLoop> &Inside) const {
    return ownParts(P, Loop).contains(Role::OptStep) &&
           std::ranges::all_of(Inside, [&](const StepLoop &L) {
             return L.Loop.Body == Loop.Body &&
                    !ownParts(P, L.Loop).contains(Role::OptStep);
           });
  }

  bool calls(const StepLoop &L, ScopeId S, int Depth = 0) const {
    if (Depth > 6)
      return false;
    for (int Each : S.isLoop() ? P.nest(S) : allScopes(P, S.Body))
      for (const SeenCall &Call : P.body(S.Body).Scopes[size_t(Each)].Calls)
        for (int Target : P.targets(Call))
          if (Target == L.Loop.Body || calls(L, {Target, 0}, Depth + 1))
            return true;
    return false;
  }

  /// Whether another loop was chosen instead of L.
  bool isReplaced(const StepLoop &L, const std::vector<StepLoop> &Loops) const {
    return std::ranges::any_of(Loops, [&](const StepLoop &Other) {
      if (Other.Loop == L.Loop || Other.Score < Enough)
        return false;
      if (Other.Loop.Body == L.Loop.Body) {
        std::vector<int> Nest = P.nest(Other.Loop);
        return std::ranges::find(Nest, L.Loop.Scope) != Nest.end();
      }
      // What a step of named parts calls is a part of it.
      return ((Other.Data && !L.Data) || (Other.Named && L.Inline)) &&
             calls(L, Other.Loop);
    });
  }

  /// The calls of LOOP, and those of the parallel loops in it, where no hook
  /// fits: LOOP is the nearest one that can be the loop over batches.
  Roles stepRoles(ScopeId Loop) const {
    Roles All = rolesIn(P, Loop);
    std::set<int> Within = {Loop.Scope};
    for (int Each : P.nest(Loop))
      if (const SeenScope &S = P.scope({Loop.Body, Each});
          Each != Loop.Scope && S.Pragma && Within.contains(S.Outer)) {
        Within.insert(Each);
        for (auto &Inner : rolesIn(P, {Loop.Body, Each}))
          All.push_back(Inner);
      }
    return All;
  }

  std::optional<StepLoop> judge(ScopeId Loop, bool HoldsSteps) {
    const SeenScope &S = P.scope(Loop);
    // Behind a pragma, the loop around it stands for it.
    if (S.Ordinal == 0 || (S.Pragma && S.Outer > 0) || P.startsThreads(Loop))
      return std::nullopt;
    StepLoop L;
    L.Loop = Loop;
    bool Draws = getsData(P, Loop);
    L.Data = Draws || names(P, Loop, isData);
    std::string_view In = plainName(P.body(Loop.Body).Name);
    Roles Calls = stepRoles(Loop);
    Parts Own, Nest = partsOf(P, Loop);
    for (auto [Call, R] : Calls)
      if (isPart(R))
        Own.insert(R);
    auto [Trains, Validates] = modes(P, Loop);
    auto Take = [&](int Score, std::string Why) {
      if (Score > L.Score) {
        L.Score = Score;
        L.Why = std::move(Why);
      }
    };
    if (learns(Own) && Nest.size() > 1) {
      Take(6 + (Nest.size() > 2), "it goes forward and backward, or steps");
      L.Named = true;
    } else if (learns(Own) && Draws)
      Take(5, "it gets data and goes backward or steps");
    else if (learns(Nest) && Nest.size() > 1 && !HoldsSteps)
      Take(5, "its inner loops go forward and backward, or step");
    for (auto [Call, R] : Calls) {
      int Best = 0;
      bool Body = false;
      for (int Target : P.targets(*Call)) {
        Body = true;
        if (stepLoops(Target).empty())
          Best = std::max(Best, P.teaches(Target));
        else if (R == Role::Train || R == Role::None)
          Best = -1; // it holds the steps
        if (Best < 0)
          break;
      }
      if (R == Role::Step)
        Take(5 + std::max(Best, 0) / 2 * 2,
             fmt::format("{} does a step", Call->Name));
      else if (R == Role::Train && Best >= 0) {
        Take((Body ? 4 + (Best > 1) : 4),
             fmt::format("it calls {}", Call->Name));
        L.Unseen |= !Body;
      } else if (R == Role::Epoch && !Body) {
        Take(4, fmt::format("{} is an epoch", Call->Name));
        L.Unseen = L.Epochs = true;
      } else if (Best > 1 && !isPart(R))
        Take(R == Role::Update ? 5 : 4,
             fmt::format("{} changes weights", Call->Name));
    }
    bool Assigns = std::ranges::any_of(P.nest(Loop), [&](int Each) {
      return P.assignsWeights({Loop.Body, Each});
    });
    bool More = P.nest(Loop).size() > 1 ||
                std::ranges::any_of(S.Calls, [&](const SeenCall &Call) {
                  return !P.targets(Call).empty();
                });
    if (Assigns && More && L.Score < 3) {
      Take(3, "it changes weights by gradients or rates");
      L.Inline = true;
    }
    if (Draws && L.Score == 0 && names(P, Loop, isData) && Trains &&
        hasWord(In, {"epoch", "train", "fit"}))
      Take(3, "it gets batches and passes something for training");
    if (L.Score == 0 || (Validates && !Trains && !learns(Nest)))
      return std::nullopt;
    L.Score += Draws ? 2 : L.Data ? 1 : 0;
    L.Score += names(P, Loop, isIterations) ? 1 : 0;
    L.Score += P.isInTraining(Loop.Body) ? 1 : 0;
    if (std::ranges::any_of(P.loopsAround(Loop), [&](ScopeId Outer) {
          return names(P, Outer, isIterations);
        }))
      L.Score += 1;
    // Each iteration is a training, not a step.
    if (std::ranges::any_of(S.Names, overRuns) ||
        std::ranges::any_of(S.Head, overRuns))
      L.Score -= 3;
    return L;
  }

  const Program &P;
  std::vector<std::vector<StepLoop>> Found; ///< By body.
  std::vector<bool> Done;
  std::set<ScopeId> Replaced; ///< Step loops in better ones.
};

} // namespace

std::vector<StepLoop> findStepLoops(const Program &P) {
  return Search(P).run();
}

} // namespace loopscope::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A selection file for a program without annotations.
//
// Goes from the step loops outwards to the loop over epochs, and inwards to the
// parts of a step and to what validates; SuggestedRules.cpp words it.

#include "Instrument/Suggest/Suggest.h"

#include "Instrument/Suggest/CollectiveCalls.h"
#include "Instrument/Suggest/GuessedLoops.h"
#include "Instrument/Suggest/StepLoops.h"
#include "Instrument/Suggest/StepParts.h"
#include "Instrument/Suggest/WaitCalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace loopscope::instrument {
namespace {

class Suggestion {
public:
  explicit Suggestion(std::vector<SeenBody> All)
      : P(std::move(All)), Rules(P) {}

  std::vector<Suggested> rules() {
    std::vector<StepLoop> Loops = findStepLoops(P);
    Guessing = Loops.empty();
    if (Guessing)
      Loops = guessStepLoops(P);
    for (const StepLoop &L : Loops)
      Chosen.insert(L.Loop);
    Parts.emplace(P, Rules, Chosen, Guessing);
    for (const StepLoop &L : Loops)
      suggest(L);
    if (!Loops.empty())
      waitsAndCollectives();
    return Rules.rules();
  }

private:
  /// From this score on, no doubt is expressed.
  static constexpr int Sure = 7;

  struct Epochs {
    ScopeId Loop;
    std::string Why;
  };

  /// The loop over epochs around a step loop.
  std::optional<Epochs> epochsOf(const StepLoop &L) const {
    std::vector<ScopeId> Around = {L.Loop};
    std::set<ScopeId> Seen;
    std::optional<Epochs> Guess;
    for (int Level = 0; Level < 4 && !Around.empty(); ++Level) {
      std::vector<ScopeId> Next;
      for (ScopeId Inner : Around)
        for (ScopeId Outer : P.loopsAround(Inner)) {
          if (Chosen.contains(Outer) || P.scope(Outer).Ordinal == 0 ||
              !Seen.insert(Outer).second)
            continue;
          Next.push_back(Outer);
          if (names(P, Outer, isEpochs))
            return Epochs{Outer, "it counts epochs"};
          if (Guess)
            continue;
          if (names(P, Outer, isIterations))
            Guess = Epochs{Outer, "it counts iterations over the data"};
          else if (Level == 0 &&
                   (Outer.Body == L.Loop.Body ||
                    P.callers(L.Loop.Body).size() == 1) &&
                   !P.scope(Outer).Endless && !getsData(P, Outer) &&
                   std::ranges::none_of(P.scope(Outer).Names, overRuns) &&
                   std::ranges::none_of(P.scope(Outer).Head, overRuns))
            Guess = Epochs{
                Outer, "the loop around the steps; unsure: no name says so"};
        }
      Around = std::move(Next);
    }
    return Guess;
  }

  void suggest(const StepLoop &L) {
    std::optional<Epochs> Outer = epochsOf(L);
    // A loop can't be both. A loop over epochs whose steps are in a missing
    // file isn't a loop over batches.
    if (L.Epochs || (countsEpochs(P, L.Loop) && L.Unseen && !Outer)) {
      Rules.loop(L.Loop, "epoch",
                 "it goes over epochs; give the file with its steps "
                 "to --suggest as well");
      if (Guessing)
        Parts->addCalls(L.Loop, "epoch");
      return;
    }
    if (Outer)
      Rules.loop(Outer->Loop, "epoch", Outer->Why);
    // Others that reach the same steps.
    for (ScopeId Other : P.loopsAround(L.Loop))
      if (!Chosen.contains(Other) && P.scope(Other).Ordinal != 0 &&
          names(P, Other, isEpochs))
        Rules.loop(Other, "epoch", "it counts epochs");
    std::string Why = L.Why;
    if (L.Inline)
      Why += "; unsure: no call says what it does, and a step may be too short "
             "to be timed";
    else if (L.Score < Sure)
      Why += "; unsure";
    if (countsEpochs(P, L.Loop))
      Why += "; it counts epochs, each of which is one step";
    Rules.loop(L.Loop, "train", Why + "; add samples: EXPRESSION if you can");
    if (!Parts->add(L.Loop))
      Rules.remark(L.Loop,
                   "nothing in this loop looks like a part of a step; mark "
                   "the parts with attributes (docs/annotations.md)");
    validation(L, Outer);
  }

  /// Calls that wait for other threads, on the steps' thread or others, and
  /// calls that wait for other ranks.
  void waitsAndCollectives() {
    for (size_t I = 0; I < P.bodies().size(); ++I) {
      auto Body = static_cast<int>(I);
      if (P.body(Body).Constant)
        continue;
      for (int Scope : allScopes(P, Body)) {
        ScopeId At{Body, Scope};
        for (const SeenCall &Call : P.scope(At).Calls)
          if (Call.Via.empty() && isWaitCall(Call.Callee))
            Rules.wait(At, Call);
          else if (Call.Via.empty() && isCollectiveCall(Call.Callee) &&
                   !isCollectiveCall(P.body(Body).Name))
            Rules.collective(At, Call);
        for (const auto &[Line, Word] : P.scope(At).WaitDirectives)
          Rules.remark(At, Line,
                       fmt::format("'omp {}' waits, and no rule reaches a "
                                   "directive: put it in a block with "
                                   "[[loopscope::wait(\"{}\")]]",
                                   Word, Word));
      }
    }
  }

  /// Loops that validate: in the step, in the epoch, or beside the step's loop.
  void validation(const StepLoop &L, const std::optional<Epochs> &Outer) {
    ScopeId Around = Outer && Outer->Loop.Body == L.Loop.Body
                         ? Outer->Loop
                         : ScopeId{L.Loop.Body, 0};
    std::vector<ScopeId> Within;
    for (int Each :
         Around.isLoop() ? P.nest(Around) : allScopes(P, Around.Body))
      Within.push_back({Around.Body, Each});
    if (Outer && Outer->Loop.Body != L.Loop.Body)
      for (int Each : P.nest(Outer->Loop))
        Within.push_back({Outer->Loop.Body, Each});
    // The functions that they call to validate.
    for (size_t I = 0, N = Within.size(); I < N; ++I)
      for (const SeenCall &Call : P.scope(Within[I]).Calls)
        if (roleOf(Call) == Role::Evaluate)
          for (int Target : P.targets(Call))
            for (int Each : allScopes(P, Target))
              Within.push_back({Target, Each});
    for (ScopeId S : Within) {
      if (!S.isLoop() || Chosen.contains(S) || !Parts->validates(S) ||
          (Outer && S == Outer->Loop))
        continue;
      // A loop inside another's validation is a part of it.
      ScopeId Above{S.Body, P.scope(S).Outer};
      if (Above.isLoop() && Parts->validates(Above) &&
          !Chosen.contains(Above) && !(Outer && Outer->Loop == Above))
        continue;
      std::string Why = getsData(P, S)
                            ? "it gets data and goes forward only"
                            : "its head names validation or test data; unsure";
      Rules.loop(S, "valid", Why + "; add samples: EXPRESSION if you can");
      Parts->addValidation(S);
    }
  }

  Program P;
  RuleWriter Rules;
  bool Guessing = false;
  std::set<ScopeId> Chosen; ///< The loops over batches.
  std::optional<StepParts> Parts;
};

} // namespace

std::vector<Suggested> suggestRules(std::vector<SeenBody> Bodies) {
  return Suggestion(std::move(Bodies)).rules();
}

} // namespace loopscope::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A selection file for a program without annotations.
//
// Goes from the step loops outwards to the loop over epochs, and inwards to the
// parts of a step and to what validates; SuggestedRules.cpp words it.

#include "Instrument/Suggest/Suggest.h"

#include "Instrument/Suggest/CollectiveCalls.h"
#include "Instrument/Suggest/GuessedLoops.h"
#include "Instrument/Suggest/LoopClues.h"
#include "Instrument/Suggest/ScopeRoles.h"
#include "Instrument/Suggest/StepLoops.h"
#include "Instrument/Suggest/SuggestedRules.h"
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
        anyCalls(L.Loop, "epoch");
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
    size_t Before = Rules.rules().size();
    Emitting.clear();
    partsIn(L.Loop, 0);
    if (!hasPhases(Before))
      anyCalls(L.Loop);
    if (!hasPhases(Before))
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

  bool hasPhases(size_t Before) const {
    return std::any_of(
        Rules.rules().begin() + static_cast<long>(Before), Rules.rules().end(),
        [](const Suggested &S) { return S.Yaml.starts_with("kind: phase"); });
  }

  /// If no call in LOOP has a name that says what it is for, adds phases named
  /// after the calls: its own, or else, in a guess, those of the loops in it.
  void anyCalls(ScopeId Loop, const char *Around = "step") {
    size_t Before = Rules.rules().size();
    for (ScopeId At : scopesOf(Loop))
      if ((At == Loop || Guessing) && !hasPhases(Before) && !P.scope(At).Pragma)
        callsOf(At, Around);
  }

  void callsOf(ScopeId At, const char *Around) {
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
  std::vector<ScopeId> scopesOf(ScopeId S) const {
    std::vector<ScopeId> All;
    std::set<int> Left;
    for (int Each : S.isLoop() ? P.nest(S) : allScopes(P, S.Body)) {
      ScopeId At{S.Body, Each};
      bool Own = Each != S.Scope && (Chosen.contains(At) || validates(At));
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

  /// Whether LOOP gets data and goes forward, and nothing else.
  bool validates(ScopeId Loop) const {
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
    bool Named = namesValidation(P, Loop) && workOf(P, Loop) != Work::None;
    return (getsData(P, Loop) && (!All.empty() || Validates || Named)) ||
           (Guessing && Named);
  }

  /// Rules for the parts of the step in S: the calls of a loop, or of a
  /// function called in it.
  void partsIn(ScopeId S, int Depth) {
    if (Depth > 4 || !Emitting.insert(S).second)
      return;
    std::set<std::string> Known;
    std::vector<ScopeId> Scopes = scopesOf(S);
    std::vector<int> Deeper;
    std::set<int> Whole;
    for (ScopeId At : Scopes) {
      if (At != S &&
          (Whole.contains(P.scope(At).Outer) || asWhole(At, Scopes))) {
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
  bool whole(ScopeId At, const SeenCall &Call, Role R,
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
  bool asWhole(ScopeId Loop, const std::vector<ScopeId> &Step) {
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
      if (!S.isLoop() || Chosen.contains(S) || !validates(S) ||
          (Outer && S == Outer->Loop))
        continue;
      // A loop inside another's validation is a part of it.
      ScopeId Above{S.Body, P.scope(S).Outer};
      if (Above.isLoop() && validates(Above) && !Chosen.contains(Above) &&
          !(Outer && Outer->Loop == Above))
        continue;
      std::string Why = getsData(P, S)
                            ? "it gets data and goes forward only"
                            : "its head names validation or test data; unsure";
      Rules.loop(S, "valid", Why + "; add samples: EXPRESSION if you can");
      size_t Before = Rules.rules().size();
      Emitting.clear();
      partsIn(S, 3);
      if (!hasPhases(Before))
        anyCalls(S);
    }
  }

  Program P;
  RuleWriter Rules;
  bool Guessing = false;
  std::set<ScopeId> Chosen;   ///< The loops over batches.
  std::set<ScopeId> Emitting; ///< Of one step; recursion ends there.
};

} // namespace

std::vector<Suggested> suggestRules(std::vector<SeenBody> Bodies) {
  return Suggestion(std::move(Bodies)).rules();
}

} // namespace loopscope::instrument

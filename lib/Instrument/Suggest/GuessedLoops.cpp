// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses loops over batches where no call says what it does.
//
// First looks into the loops that count epochs: one of the loops in them, or
// in a function that they call, is over batches. Without such a loop, takes
// those for which enough clues speak.

#include "Instrument/Suggest/GuessedLoops.h"

#include "Instrument/Suggest/LoopClues.h"

#include <algorithm>
#include <optional>

namespace loopscope::instrument {
namespace {

class Guess {
public:
  explicit Guess(const Program &P) : P(P) {}

  std::vector<StepLoop> run() {
    forEachLoop([&](ScopeId Loop) {
      if (goesOverEpochs(P, Loop) && !P.startsThreads(Loop) &&
          !isInside(Loop, Epochs))
        inEpochs(Loop);
    });
    if (Loops.empty())
      byClues();
    return std::move(Loops);
  }

private:
  static constexpr int Enough = 4;
  static constexpr size_t Most = 3;

  /// Whether hooks fit into \p Body, and its name allows training.
  bool isEligible(int Body) const {
    if (P.body(Body).Constant)
      return false;
    std::string_view Name = plainName(P.body(Body).Name);
    if (Name.empty())
      return true;
    // A part of a step that counts epochs is more than a part.
    Role R = roleOf(P.body(Body));
    bool Part =
        isPart(R) && std::ranges::none_of(allScopes(P, Body), [&](int Each) {
          return countsEpochs(P, {Body, Each});
        });
    return R != Role::Draw && R != Role::Evaluate && !Part && !isAside(Name) &&
           !hasWord(Name, {"generate", "infer", "inference", "sample", "test",
                           "benchmark", "bench"});
  }

  /// Whether a rule can select LOOP and hooks fit there.
  bool isReachable(ScopeId Loop) const {
    const SeenScope &S = P.scope(Loop);
    return S.Ordinal != 0 && !S.Pragma && !P.startsThreads(Loop);
  }

  template <typename Function> void forEachLoop(Function Visit) {
    for (size_t I = 0; I < P.bodies().size(); ++I) {
      auto Body = static_cast<int>(I);
      if (!isEligible(Body))
        continue;
      for (int Scope : allScopes(P, Body))
        if (ScopeId Loop{Body, Scope}; Loop.isLoop())
          Visit(Loop);
    }
  }

  bool isInside(ScopeId Loop, const std::set<ScopeId> &Others) const {
    for (int At = Loop.Scope; At > 0; At = P.scope({Loop.Body, At}).Outer)
      if (Others.contains({Loop.Body, At}))
        return true;
    return false;
  }

  void add(ScopeId Loop, std::string Why) {
    StepLoop L;
    L.Loop = Loop;
    L.Score = 1;
    L.Inline = workOf(P, Loop) != ScopeWork::Calls;
    L.Why = std::move(Why);
    if (std::ranges::none_of(
            Loops, [&](const StepLoop &Known) { return Known.Loop == Loop; }))
      Loops.push_back(std::move(L));
  }

  /// EPOCH counts epochs.
  void inEpochs(ScopeId Epoch) {
    if (workOf(P, Epoch) == ScopeWork::None)
      return;
    Epochs.insert(Epoch);
    std::set<ScopeId> Seen;
    if (std::optional<ScopeId> Step = stepIn(Epoch, Seen)) {
      Clues C = cluesOf(P, *Step);
      return add(*Step, C.Why.starts_with("it is in a loop") || C.Why.empty()
                            ? "it is in a loop that counts epochs"
                            : C.Why + ", in a loop that counts epochs");
    }
    std::string Why = holdsParallel(Epoch) ? "the loop in it is parallel"
                                           : "no loop in it goes over batches";
    if (!countsEpochs(P, Epoch))
      Why += "; it goes over epochs, each of which is one step";
    add(Epoch, std::move(Why));
    // Its steps may be in a file that isn't given.
    bool Known = P.nest(Epoch).size() > 1;
    for (const SeenCall &Call : P.scope(Epoch).Calls)
      Known |= mayWork(Call) && !P.targets(Call).empty();
    Loops.back().Epochs = !Known && workOf(P, Epoch) == ScopeWork::Calls;
  }

  /// The loop over batches directly in S, or in a function that S calls.
  std::optional<ScopeId> stepIn(ScopeId S, std::set<ScopeId> &Seen) {
    if (!Seen.insert(S).second)
      return std::nullopt;
    std::vector<ScopeId> Found, Skipped;
    bool Parallel = false;
    for (ScopeId Each : loopsIn(S)) {
      if (workOf(P, Each) == ScopeWork::None || namesValidation(P, Each))
        continue;
      Parallel |= P.scope(Each).Pragma;
      if (!isReachable(Each) || names(P, Each, overRuns))
        Skipped.push_back(Each);
      else
        Found.push_back(Each);
    }
    auto Rank = [&](ScopeId Loop) {
      return 2 * cluesOf(P, Loop).Score +
             (workOf(P, Loop) == ScopeWork::Calls ? 1 : 0);
    };
    auto Best = std::ranges::max_element(Found, {}, Rank);
    // Several loops without a name share the work of one step, and a parallel
    // loop does all of it.
    if (Best != Found.end() &&
        (Rank(*Best) >= 2 * Enough ||
         (!Parallel && (Found.size() == 1 || namesData(*Best)))))
      return *Best;
    if (Best != Found.end() || Parallel)
      return std::nullopt;
    for (ScopeId Each : Skipped)
      if (std::optional<ScopeId> Inner = stepIn(Each, Seen))
        return Inner;
    return std::nullopt;
  }

  bool holdsParallel(ScopeId Loop) const {
    return std::ranges::any_of(P.nest(Loop), [&](int Each) {
      return Each != Loop.Scope && P.scope({Loop.Body, Each}).Pragma;
    });
  }

  bool namesData(ScopeId Loop) const {
    return getsData(P, Loop) || names(P, Loop, isData);
  }

  /// The outermost loops in S, and in the functions that S calls.
  std::vector<ScopeId> loopsIn(ScopeId S) const {
    std::vector<ScopeId> All;
    std::set<int> Bodies;
    addLoopsIn(S, All, Bodies);
    return All;
  }

  void addLoopsIn(ScopeId S, std::vector<ScopeId> &All,
                  std::set<int> &Bodies) const {
    for (int Each : allScopes(P, S.Body))
      if (Each > S.Scope && P.scope({S.Body, Each}).Outer == S.Scope)
        All.push_back({S.Body, Each});
    for (const SeenCall &Call : P.scope(S).Calls)
      if (mayWork(Call))
        for (int Target : P.targets(Call))
          if (isEligible(Target) && Bodies.insert(Target).second)
            addLoopsIn({Target, 0}, All, Bodies);
  }

  /// Whether LOOP goes over the cells of a table or an image.
  bool overCells(ScopeId Loop) const {
    return std::ranges::any_of(P.scope(Loop).Names, [](std::string_view Name) {
      return hasWord(Name, {"row", "col", "column", "pixel", "width", "height",
                            "feature", "label"});
    });
  }

  void byClues() {
    std::vector<std::pair<int, ScopeId>> Found;
    forEachLoop([&](ScopeId Loop) {
      if (workOf(P, Loop) == ScopeWork::None || names(P, Loop, overRuns) ||
          namesValidation(P, Loop) || !isReachable(Loop) || overCells(Loop))
        return;
      if (int Score = cluesOf(P, Loop).Score; Score >= Enough)
        Found.emplace_back(Score, Loop);
    });
    // The best loop of each nest; the outer one of two equals.
    std::ranges::stable_sort(
        Found, [](const auto &A, const auto &B) { return A.first > B.first; });
    std::set<ScopeId> Taken;
    for (auto [Score, Loop] : Found) {
      std::vector<int> Nest = P.nest(Loop);
      bool Holds = std::ranges::any_of(
          Nest, [&](int Each) { return Taken.contains({Loop.Body, Each}); });
      if (Holds || isInside(Loop, Taken) || Taken.size() == Most)
        continue;
      Taken.insert(Loop);
      add(Loop, cluesOf(P, Loop).Why);
    }
  }

  const Program &P;
  std::vector<StepLoop> Loops;
  std::set<ScopeId> Epochs; ///< Loops that count epochs.
};

} // namespace

std::vector<StepLoop> guessStepLoops(const Program &P) {
  return Guess(P).run();
}

} // namespace loopscope::instrument

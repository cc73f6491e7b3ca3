//===- Suggest.cpp - A selection file for a program without annotations ---===//

#include "Suggest.h"

#include "Program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace loopscope::instrument {
namespace {

using Parts = std::set<Role>;

bool learns(const Parts &P) {
  return P.contains(Role::Backward) || P.contains(Role::OptStep);
}

std::string baseName(const std::string &Path) {
  size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? Path : Path.substr(Slash + 1);
}

using Roles = std::vector<std::pair<const SeenCall *, Role>>;

bool holds(const Roles &All, Role R) {
  return std::ranges::any_of(
      All, [&](const auto &Each) { return Each.second == R; });
}

/// A loop that may be the one over batches.
struct StepLoop {
  ScopeId Loop;
  int Score = 0;
  bool Data = false;   ///< It gets data, or counts it.
  bool Inline = false; ///< Known by its assignments alone.
  bool Named = false;  ///< Known by the parts that its own calls are.
  bool Unseen = false; ///< Its step is in a file that isn't given.
  bool Epochs = false; ///< It is the loop over epochs, its steps unseen.
  std::string Why;
};

class Suggestion {
public:
  explicit Suggestion(std::vector<SeenBody> All) : P(std::move(All)) {}

  std::vector<Suggested> rules() {
    Found.resize(P.bodies().size());
    Done.resize(P.bodies().size());
    std::vector<StepLoop> Loops;
    for (size_t I = 0; I < P.bodies().size(); ++I)
      for (const StepLoop &L : stepLoops(static_cast<int>(I)))
        if (std::ranges::none_of(Loops, [&](const StepLoop &Known) {
              return Known.Loop == L.Loop;
            }))
          Loops.push_back(L);
    // A loop that only holds calls of functions that hold step loops was never
    // one; a loop that is found within another's step isn't, either.
    std::erase_if(Loops, [&](const StepLoop &L) {
      return Replaced.contains(L.Loop) || isReplaced(L, Loops);
    });
    for (const StepLoop &L : Loops)
      Chosen.insert(L.Loop);
    for (const StepLoop &L : Loops)
      suggest(L);
    return std::move(Result);
  }

private:
  static constexpr int Enough = 5, Sure = 7;

  //===--- Which loops are steps ------------------------------------------===//

  /// Whether BODY is a part of a step, whose loops are none of batches.
  bool isOpaque(int Body) const {
    std::string_view Name = plainName(P.body(Body).Name);
    if (Name.empty())
      return false;
    Role R = roleOf(P.body(Body));
    // A part of a step that gets the data of many is more than that.
    if (isPart(R))
      for (int Each : allScopes(Body))
        if (Each != 0 && getsData({Body, Each}))
          return false;
    return isPart(R) || R == Role::Draw || R == Role::Step ||
           R == Role::Update || R == Role::Evaluate || isAside(Name);
  }

  /// The step loops of BODY and of what it calls.
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

  /// Those in a scope: of the loops and calls in it.
  std::vector<StepLoop> within(ScopeId S) {
    std::vector<StepLoop> All;
    auto Add = [&](const std::vector<StepLoop> &More) {
      for (const StepLoop &L : More)
        if (std::ranges::none_of(All, [&](const StepLoop &Known) {
              return Known.Loop == L.Loop;
            }))
          All.push_back(L);
    };
    const std::vector<SeenScope> &Scopes = P.body(S.Body).Scopes;
    for (size_t I = static_cast<size_t>(S.Scope) + 1; I < Scopes.size(); ++I)
      if (Scopes[I].Outer == S.Scope)
        Add(judged({S.Body, static_cast<int>(I)}));
    for (const SeenCall &Call : P.scope(S).Calls)
      if (roleOf(Call) != Role::Evaluate)
        for (int Target : P.targets(Call))
          Add(stepLoops(Target));
    return All;
  }

  /// LOOP itself, or the step loops in it.
  std::vector<StepLoop> judged(ScopeId Loop) {
    std::vector<StepLoop> Inside = within(Loop);
    std::optional<StepLoop> Self = judge(Loop, !Inside.empty());
    if (!Self || Self->Score < Enough)
      return Inside;
    if (Inside.empty())
      return {*Self};
    bool Better = Self->Data && !countsEpochs(Loop) &&
                  std::ranges::none_of(Inside, [](const StepLoop &L) {
                    return L.Data && L.Score >= Enough;
                  });
    // What calls say counts more than what assignments do.
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

  /// Whether the optimizer's step is LOOP's own and the backward pass that of a
  /// loop in it: the inner one adds up gradients.
  bool accumulates(ScopeId Loop, const std::vector<StepLoop> &Inside) const {
    return ownParts(Loop).contains(Role::OptStep) &&
           std::ranges::all_of(Inside, [&](const StepLoop &L) {
             return L.Loop.Body == Loop.Body &&
                    !ownParts(L.Loop).contains(Role::OptStep);
           });
  }

  Roles plainRoles(ScopeId S) const {
    Roles All;
    for (const SeenCall &Call : P.scope(S).Calls)
      All.emplace_back(&Call, roleOf(Call));
    return All;
  }

  /// The calls of a scope with their roles: of updates behind a backward pass,
  /// or else beside one, the first is the optimizer's step, if nothing else is.
  /// The backward pass may be that of an inner loop that updates nothing.
  Roles rolesIn(ScopeId S) const {
    Roles All = plainRoles(S);
    if (holds(All, Role::OptStep) || !holds(All, Role::Update))
      return All;
    std::vector<unsigned> Backward;
    for (int Each : S.isLoop() ? P.nest(S) : std::vector<int>{S.Scope}) {
      Roles Inner = plainRoles({S.Body, Each});
      if (Each != S.Scope &&
          (holds(Inner, Role::OptStep) || holds(Inner, Role::Update)))
        continue;
      for (auto [Call, R] : Inner)
        if (R == Role::Backward)
          Backward.push_back(Call->Line);
    }
    if (Backward.empty())
      return All;
    for (bool Behind : {true, false})
      for (auto &[Call, R] : All)
        if (R == Role::Update &&
            (!Behind || std::ranges::min(Backward) <= Call->Line)) {
          R = Role::OptStep;
          return All;
        }
    return All;
  }

  Parts ownParts(ScopeId S) const {
    Parts All;
    for (auto [Call, R] : rolesIn(S))
      if (isPart(R))
        All.insert(R);
    return All;
  }

  Parts partsOf(ScopeId Loop) const {
    Parts All;
    for (int Each : P.nest(Loop))
      All.merge(ownParts({Loop.Body, Each}));
    return All;
  }

  bool names(ScopeId Loop, bool (*Is)(std::string_view)) const {
    const SeenScope &S = P.scope(Loop);
    return std::ranges::any_of(S.Names, Is) || std::ranges::any_of(S.Head, Is);
  }

  /// Whether the loop's own variable, not its bound, counts epochs; a bound
  /// may be one of many in a condition.
  bool countsEpochs(ScopeId Loop) const {
    const SeenScope &S = P.scope(Loop);
    return !S.Names.empty() && isEpochs(S.Names.front());
  }

  /// Whether LOOP, or a loop in it that teaches nothing, gets data.
  bool getsData(ScopeId Loop) const {
    for (int Each : P.nest(Loop)) {
      ScopeId S{Loop.Body, Each};
      if (Each != Loop.Scope && P.assignsWeights(S))
        continue;
      if (Each != Loop.Scope && !ownParts(S).empty())
        continue;
      for (const SeenCall &Call : P.scope(S).Calls)
        if (roleOf(Call) == Role::Draw)
          return true;
    }
    return false;
  }

  static bool isMode(std::string_view Flag) {
    std::vector<std::string> W = wordsOf(Flag);
    std::erase_if(W, [](const std::string &Each) {
      return Each == "is" || Each == "do" || Each == "mode";
    });
    return W.size() == 1 &&
           hasWord(W.front(), {"train", "training", "backward"});
  }

  /// What the arguments of LOOP's calls say: that it trains, that it doesn't.
  std::pair<bool, bool> modes(ScopeId Loop) const {
    bool Trains = false, Validates = false;
    for (const SeenCall &Call : P.scope(Loop).Calls)
      for (const std::string &Name : Call.Arguments) {
        // A flag is only about the mode where it is called like one.
        if (Name.starts_with("!"))
          Validates |= isMode(Name);
        else if (hasWord(Name, {"train", "training", "backward"}))
          Trains = true;
        else if (hasWord(Name, {"eval", "valid", "validation", "test"}))
          Validates = true;
      }
    return {Trains, Validates};
  }

  bool calls(const StepLoop &L, ScopeId S, int Depth = 0) const {
    if (Depth > 6)
      return false;
    for (int Each : S.isLoop() ? P.nest(S) : allScopes(S.Body))
      for (const SeenCall &Call : P.body(S.Body).Scopes[size_t(Each)].Calls)
        for (int Target : P.targets(Call))
          if (Target == L.Loop.Body || calls(L, {Target, 0}, Depth + 1))
            return true;
    return false;
  }

  std::vector<int> allScopes(int Body) const {
    std::vector<int> All;
    for (size_t I = 0; I < P.body(Body).Scopes.size(); ++I)
      All.push_back(static_cast<int>(I));
    return All;
  }

  /// Whether another loop was taken in place of L.
  bool isReplaced(const StepLoop &L, const std::vector<StepLoop> &Loops) const {
    return std::ranges::any_of(Loops, [&](const StepLoop &Other) {
      if (Other.Loop == L.Loop || Other.Score < Enough)
        return false;
      if (Other.Loop.Body == L.Loop.Body) {
        std::vector<int> Nest = P.nest(Other.Loop);
        return std::ranges::find(Nest, L.Loop.Scope) != Nest.end();
      }
      return Other.Data && !L.Data && calls(L, Other.Loop);
    });
  }

  std::optional<StepLoop> judge(ScopeId Loop, bool HoldsSteps) {
    const SeenScope &S = P.scope(Loop);
    if (S.Ordinal == 0 || P.startsThreads(Loop))
      return std::nullopt;
    StepLoop L;
    L.Loop = Loop;
    bool Draws = getsData(Loop);
    L.Data = Draws || names(Loop, isData);
    std::string_view In = plainName(P.body(Loop.Body).Name);
    Parts Own = ownParts(Loop), Nest = partsOf(Loop);
    auto [Trains, Validates] = modes(Loop);
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
      Take(5, "it gets data and goes backward");
    else if (learns(Nest) && Nest.size() > 1 && !HoldsSteps)
      Take(5, "its inner loops go forward and backward, or step");
    for (auto [Call, R] : rolesIn(Loop)) {
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
    if (Draws && L.Score == 0 && names(Loop, isData) && Trains &&
        hasWord(In, {"epoch", "train", "fit"}))
      Take(3, "it gets batches and passes something for training");
    if (L.Score == 0 || (Validates && !Trains && !learns(Nest)))
      return std::nullopt;
    L.Score += Draws ? 2 : L.Data ? 1 : 0;
    L.Score += names(Loop, isIterations) ? 1 : 0;
    L.Score += P.isInTraining(Loop.Body) ? 1 : 0;
    if (std::ranges::any_of(P.loopsAround(Loop), [&](ScopeId Outer) {
          return names(Outer, isIterations);
        }))
      L.Score += 1;
    // One training for each of these, not one step.
    if (std::ranges::any_of(S.Names, overRuns) ||
        std::ranges::any_of(S.Head, overRuns))
      L.Score -= 3;
    return L;
  }

  static bool overRuns(std::string_view Name) {
    return hasWord(Name,
                   {"class", "classes", "fold", "folds", "models", "trial",
                    "trials", "runs", "seed", "gpu", "ngpus", "device",
                    "config", "layer", "layers", "argc", "arg"});
  }

  //===--- What is around and in them -------------------------------------===//

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
          if (names(Outer, isEpochs))
            return Epochs{Outer, "it counts epochs"};
          if (Guess)
            continue;
          if (names(Outer, isIterations))
            Guess = Epochs{Outer, "it counts iterations over the data"};
          else if (Level == 0 &&
                   (Outer.Body == L.Loop.Body ||
                    P.callers(L.Loop.Body).size() == 1) &&
                   !P.scope(Outer).Endless && !getsData(Outer) &&
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
    // A loop can't be both. A loop over epochs whose steps are in a file that
    // isn't given is no loop over batches.
    if (L.Epochs || (countsEpochs(L.Loop) && L.Unseen && !Outer)) {
      loopRule(L.Loop, "epoch",
               "it goes over epochs; give the file with its steps "
               "to --suggest as well");
      return;
    }
    if (Outer)
      loopRule(Outer->Loop, "epoch", Outer->Why);
    std::string Why = L.Why;
    if (L.Inline)
      Why += "; unsure: no call says what it does, and a step may be too short "
             "to be timed";
    else if (L.Score < Sure)
      Why += "; unsure";
    if (countsEpochs(L.Loop))
      Why += "; it counts epochs, each of which is one step";
    loopRule(L.Loop, "train", Why + "; add samples: EXPRESSION if you can");
    size_t Before = Result.size();
    Emitting.clear();
    partsIn(L.Loop, 0);
    if (!hasPhases(Before))
      anyCalls(L.Loop);
    if (!hasPhases(Before))
      remark(L.Loop, "nothing in this loop looks like a part of a step; mark "
                     "the parts with attributes (docs/annotations.md)");
    validation(L, Outer);
  }

  bool hasPhases(size_t Before) const {
    return std::any_of(
        Result.begin() + static_cast<long>(Before), Result.end(),
        [](const Suggested &S) { return S.Yaml.starts_with("kind: phase"); });
  }

  /// Where no call of LOOP has a name that says what it is for: phases that are
  /// called what they call.
  void anyCalls(ScopeId Loop) {
    constexpr size_t Most = 6;
    std::set<unsigned> Statements;
    std::set<std::string> Known;
    for (const SeenCall &Call : P.scope(Loop).Calls) {
      const std::vector<int> &Targets = P.targets(Call);
      bool Works = std::ranges::any_of(Targets, [&](int Each) {
        const SeenBody &B = P.body(Each);
        return B.Scopes.size() > 1 || B.Scopes.front().Calls.size() > 2;
      });
      if (Works && Call.Statement != 0 && !Call.InHead &&
          roleOf(Call) != Role::Draw && !isAside(Call.Name) &&
          Known.size() < Most && Statements.insert(Call.Statement).second &&
          Known.insert(Call.Callee).second)
        namedRule(Loop, Call,
                  "unsure: a call in the step, whose name doesn't "
                  "say what it is for");
    }
  }

  /// The scopes of the step in S: it and the loops in it that aren't others'.
  std::vector<ScopeId> scopesOf(ScopeId S) const {
    std::vector<ScopeId> All;
    std::set<int> Left;
    for (int Each : S.isLoop() ? P.nest(S) : allScopes(S.Body)) {
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

  /// Whether LOOP gets data and goes forward, and no more.
  bool validates(ScopeId Loop) const {
    if (P.scope(Loop).Ordinal == 0)
      return false;
    Parts All = partsOf(Loop);
    auto [Trains, Validates] = modes(Loop);
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
    return getsData(Loop) && (!All.empty() || Validates);
  }

  /// Rules for the parts of the step in S: the calls of a loop, or of a
  /// function that is called in it.
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
      Roles Here = rolesIn(At);
      for (auto [Call, R] : Here) {
        bool First =
            Call->Statement == 0 || Statements.insert(Call->Statement).second;
        if (isPart(R) || R == Role::Draw) {
          if (First && !Call->InHead && Known.insert(Call->Callee).second)
            callRule(At, *Call, R, Here);
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

  /// A call that does all of a step, or some of it that has no name.
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
      // One that only calls another is passed over.
      Works |= P.body(Each).Scopes.size() > 1 ||
               P.body(Each).Scopes.front().Calls.size() > 1;
      for (int Scope : allScopes(Each))
        All.merge(ownParts({Each, Scope}));
      Inner = std::max(Inner, All.size());
      Deeper.push_back(Each);
    }
    // Its parts are phases, not the whole.
    if (Inner < 2 && Works && Call.Via.empty() && !Call.InHead &&
        Known.insert(Call.Callee).second)
      namedRule(At, Call,
                Targets.empty()
                    ? "by its name it trains; for its parts give its file to "
                      "--suggest as well"
                    : "it changes weights");
    return true;
  }

  /// A loop in the step over one part of it is that part as a whole, unless its
  /// calls are phases already.
  bool asWhole(ScopeId Loop, const std::vector<ScopeId> &Step) {
    Parts All = partsOf(Loop);
    if (All.size() != 1 || P.scope(Loop).Ordinal == 0 ||
        names(Loop, isIterations))
      return false;
    std::vector<int> Nest = P.nest(Loop);
    std::set<std::string> Elsewhere;
    for (ScopeId At : Step)
      if (std::ranges::find(Nest, At.Scope) == Nest.end())
        for (const SeenCall &Call : P.scope(At).Calls)
          Elsewhere.insert(Call.Callee);
    for (int Each : Nest)
      for (const SeenCall &Call : P.scope({Loop.Body, Each}).Calls)
        if (roleOf(Call) == Role::Draw ||
            (isPart(roleOf(Call)) && Elsewhere.contains(Call.Callee)))
          return false;
    std::optional<std::string> Said = said(Loop);
    if (!Said)
      return false;
    add(fmt::format("kind: phase, name: {}, {}", phaseName(*All.begin()),
                    *Said),
        Loop, P.scope(Loop).Line, "a loop over its parts");
    return true;
  }

  /// Loops that validate: in the step, in the epoch, or beside the step's loop.
  void validation(const StepLoop &L, const std::optional<Epochs> &Outer) {
    ScopeId Around = Outer && Outer->Loop.Body == L.Loop.Body
                         ? Outer->Loop
                         : ScopeId{L.Loop.Body, 0};
    std::vector<ScopeId> Within;
    for (int Each : Around.isLoop() ? P.nest(Around) : allScopes(Around.Body))
      Within.push_back({Around.Body, Each});
    if (Outer && Outer->Loop.Body != L.Loop.Body)
      for (int Each : P.nest(Outer->Loop))
        Within.push_back({Outer->Loop.Body, Each});
    // What they call to validate.
    for (size_t I = 0, N = Within.size(); I < N; ++I)
      for (const SeenCall &Call : P.scope(Within[I]).Calls)
        if (roleOf(Call) == Role::Evaluate)
          for (int Target : P.targets(Call))
            for (int Each : allScopes(Target))
              Within.push_back({Target, Each});
    for (ScopeId S : Within) {
      if (!S.isLoop() || Chosen.contains(S) || !validates(S) ||
          (Outer && S == Outer->Loop))
        continue;
      // One that is in another's validation is a part of it.
      if (int Above = P.scope(S).Outer; Above > 0 &&
                                        validates({S.Body, Above}) &&
                                        !Chosen.contains({S.Body, Above}))
        continue;
      loopRule(S, "valid",
               "it gets data and goes forward only; add samples: EXPRESSION if "
               "you can");
      size_t Before = Result.size();
      Emitting.clear();
      partsIn(S, 3);
      if (!hasPhases(Before))
        anyCalls(S);
    }
  }

  //===--- Rules ----------------------------------------------------------===//

  /// `in: ..., loop: ...`; nothing where no rule can mean LOOP alone.
  std::optional<std::string> said(ScopeId Loop) const {
    std::optional<std::string> In = inside(Loop.Body);
    if (!In)
      return std::nullopt;
    const SeenScope &S = P.scope(Loop);
    const std::vector<SeenScope> &Scopes = P.body(Loop.Body).Scopes;
    for (const std::string &Name : S.Names) {
      auto Uses = std::ranges::count_if(Scopes, [&](const SeenScope &Other) {
        return std::ranges::find(Other.Names, Name) != Other.Names.end();
      });
      if (Uses == 1)
        return fmt::format("{}, loop: {}", *In, Name);
    }
    return fmt::format("{}, loop: {}", *In, S.Ordinal);
  }

  /// `in: ...`, narrowed where several functions share the name.
  std::optional<std::string> inside(int Body) const {
    const SeenBody &B = P.body(Body);
    bool OtherFile = false, Overloads = false;
    for (const SeenBody &Other : P.bodies()) {
      if (&Other == &B || Other.Name != B.Name)
        continue;
      if (Other.File != B.File)
        OtherFile = true;
      else if (Other.Signature != B.Signature)
        Overloads = true;
      else
        return std::nullopt;
    }
    std::string Text = fmt::format("in: \"{}{}\"", quoted(B.Name),
                                   Overloads ? quoted(B.Signature) : "");
    if (OtherFile)
      Text += fmt::format(", file: \"*/{}\"", quoted(baseName(B.File)));
    return Text;
  }

  static std::string quoted(std::string_view Text) {
    std::string Result;
    for (char C : Text) {
      if (C == '"' || C == '\\')
        Result += '\\';
      Result += C;
    }
    return Result;
  }

  void loopRule(ScopeId Loop, const char *Kind, const std::string &Why) {
    // One kind for each loop.
    if (!Kinds.insert(Loop).second)
      return;
    if (std::optional<std::string> Said = said(Loop))
      add(fmt::format("kind: {}, {}", Kind, *Said), Loop, P.scope(Loop).Line,
          Why);
    else
      remark(Loop, fmt::format("'{}' belongs here ({}), but no rule can tell "
                               "this function from its namesakes: use an "
                               "attribute",
                               Kind, Why));
  }

  void callRule(ScopeId At, const SeenCall &Call, Role R, const Roles &Beside) {
    std::string Why = R == Role::Draw ? "gets the data" : "by its name";
    for (auto [Other, Inner] : Beside)
      if (Other != &Call && Call.Statement != 0 &&
          Other->Statement == Call.Statement && isPart(Inner) && Inner != R) {
        Why +=
            fmt::format("; {} is in the same statement: split it to time both",
                        phaseName(Inner));
        break;
      }
    std::string What = R == Role::Draw
                           ? "kind: draw"
                           : fmt::format("kind: phase, name: {}", phaseName(R));
    target(At, Call, What, Why, R != Role::Draw);
  }

  void namedRule(ScopeId At, const SeenCall &Call, const std::string &Why) {
    target(At, Call,
           fmt::format("kind: phase, name: \"{}\"", quoted(Call.Name)), Why,
           true);
  }

  /// A rule for CALL, or for what it calls where no statement holds it.
  void target(ScopeId At, const SeenCall &Call, const std::string &What,
              const std::string &Why, bool MayBeFunction) {
    // A rule means every such call of the function.
    if (!Ruled.insert({At.Body, Call.Callee}).second)
      return;
    std::optional<std::string> In = inside(At.Body);
    if (Call.Statement != 0 && In)
      return add(fmt::format("{}, {}, call: \"{}\", all: true", What, *In,
                             quoted(Call.Callee)),
                 At, Call.Line, Why);
    const std::vector<int> &Targets = P.targets(Call);
    if (MayBeFunction && Targets.size() == 1 &&
        !P.body(Targets.front()).Constant)
      return add(fmt::format("{}, function: \"{}\", all: true", What,
                             quoted(P.body(Targets.front()).Name)),
                 At, Call.Line, Why + "; called where no statement is");
    Result.push_back({"", baseName(P.body(At.Body).File), Call.Line,
                      fmt::format("{} is called in a condition or the like, "
                                  "where no rule reaches it",
                                  Call.Name)});
  }

  void remark(ScopeId At, const std::string &Why) {
    Result.push_back(
        {"", baseName(P.body(At.Body).File), P.scope(At).Line, Why});
  }

  /// Adds a rule, once.
  void add(const std::string &Yaml, ScopeId At, unsigned Line,
           const std::string &Why) {
    if (std::ranges::none_of(
            Result, [&](const Suggested &S) { return S.Yaml == Yaml; }))
      Result.push_back({Yaml, baseName(P.body(At.Body).File), Line, Why});
  }

  Program P;
  std::vector<std::vector<StepLoop>> Found; ///< By body.
  std::vector<bool> Done;
  std::set<ScopeId> Replaced; ///< Step loops in better ones.
  std::set<ScopeId> Chosen;   ///< The loops over batches.
  /// Bodies with what they call that has a rule.
  std::set<std::pair<int, std::string>> Ruled;
  std::set<ScopeId> Kinds;    ///< Loops that have a rule.
  std::set<ScopeId> Emitting; ///< Of one step; recursion ends there.
  std::vector<Suggested> Result;
};

} // namespace

std::vector<Suggested> suggestRules(std::vector<SeenBody> Bodies) {
  return Suggestion(std::move(Bodies)).rules();
}

} // namespace loopscope::instrument

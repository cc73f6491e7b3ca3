// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk inwards, and what it knows of each loop.

#include "Analysis/Samples/StepLoops.h"

#include "Analysis/Samples/LoopPieces.h"
#include "Analysis/Thresholds.h"
#include "Support/TrainingNames.h"
#include "Symbols/Demangle.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

using namespace loopscope;

namespace {
using Functions = std::set<std::string>;

std::string nameOf(const Called &Of) { return plainName(Of.Of.Function); }

TrainingRole roleOf(const Called &Of) { return roleOfName(nameOf(Of)); }

bool validates(const Called &Of) {
  return roleOf(Of) == TrainingRole::Evaluate;
}
bool validates(const Piece &Of) {
  return std::ranges::any_of(
      Of.Calls, [](const Called *Each) { return validates(*Each); });
}

// Of the standard library's streams, the class says it.
bool isOutput(const Called &Of) {
  return savesOrShows(nameOf(Of)) ||
         Of.Of.Function.find("ostream") != std::string::npos;
}
// The time of that depends on the disk and on what a user asked for.
bool isOutput(const Piece &Of) {
  return !Of.Calls.empty() &&
         std::ranges::all_of(
             Of.Calls, [](const Called *Each) { return isOutput(*Each); });
}

template <typename Is> bool headSays(const LoopNode &Of, Is Says) {
  return std::ranges::any_of(Of.Loop.Names, Says);
}
bool countsEpochs(const LoopNode &Of) {
  return headSays(Of, isEpochs) || isEpochs(Of.Loop.Counter);
}
// Whether its variable goes through a container, whatever its name: `iter`.
bool hasIterator(const LoopNode &Of) {
  return headSays(Of, [](std::string_view Each) {
    return Each == "begin" || Each == "cbegin" || Each == "rbegin";
  });
}
bool iterates(const LoopNode &Of) {
  return !hasIterator(Of) &&
         (headSays(Of, isIterations) || !Of.Loop.Counter.empty());
}
bool converges(const LoopNode &Of) { return headSays(Of, isConvergence); }
// A bound says how many, the variable of what: `iter < samples`.
bool countsData(const LoopNode &Of) {
  bool CountsPasses = !hasIterator(Of) && (isIterations(Of.Loop.Variable) ||
                                           !Of.Loop.Counter.empty());
  return !countsEpochs(Of) && !CountsPasses && headSays(Of, isData);
}

bool trains(const Called &Of) {
  TrainingRole R = roleOf(Of);
  return R != TrainingRole::Draw && R != TrainingRole::Evaluate &&
         !isAside(nameOf(Of)) && saysTraining(Of.Of.Function);
}

// Whether threads that the loop around it starts get to it.
bool isOfStarted(const LoopNode &Of) {
  return std::ranges::any_of(Of.Via, &Called::IsThread);
}

// Whether it is the outermost loop of what a thread does: of its start function
// or of a parallel region. Work is divided among threads by samples, or
// whatever else a step handles.
bool isOutermostOfThread(const LoopNode &Of, bool IsWorker) {
  return std::ranges::any_of(Of.Via, isOfTeam) || isOfStarted(Of) ||
         (IsWorker && Of.Outer->In == nullptr);
}

// Whether it is in a parallel region of another one: what the regions share out
// are whole methods.
bool isInRegions(const LoopNode &Of) {
  int Regions = 0;
  for (const LoopNode *At = &Of; At != nullptr; At = At->Outer)
    Regions += std::ranges::any_of(At->Via, isOfTeam) ? 1 : 0;
  return Regions >= 2;
}

// Whether it starts a parallel region in each pass, itself or a loop in it.
bool startsTeam(const LoopNode &Of) {
  return std::ranges::any_of(Of.Inner, [](const auto &Each) {
    return std::ranges::any_of(Each->Via, isOfTeam) || startsTeam(*Each);
  });
}

// Whether what it runs comes by a function object of the library, as jobs come
// to the threads of a pool.
bool isByJob(const LoopNode &Of) {
  return std::ranges::any_of(
      Of.Via, [](const Called *Each) { return Each->Of.IsSystem; });
}

// Whether a function that is called on the way to it trains, or its own one.
bool trainsOnTheWay(const LoopNode &Of) {
  return std::ranges::any_of(
             Of.Via, [](const Called *Each) { return trains(*Each); }) ||
         trains(*Of.In);
}
// Whether what trains on the way to it says so only by solving something.
bool solvesOnTheWay(const LoopNode &Of) {
  auto Solves = [](const Called *Each) {
    return !trains(*Each) || saysSolvingOnly(Each->Of.Function);
  };
  return std::ranges::all_of(Of.Via, Solves) && Solves(Of.In);
}
// Whether INNER, which is in it, is a pass over the data of a method that then
// changes the model.
bool isPassOfMethod(const LoopNode &Of, const LoopNode &Inner) {
  auto Is = [](const Called *Each) { return takesAllData(Each->Of.Function); };
  bool Counts = iterates(Of) || converges(Of);
  return !countsEpochs(Of) && !iterates(Inner) && !converges(Inner) &&
         (Is(Of.In) || (Counts && std::ranges::any_of(Inner.Via, Is)));
}

bool validatesOnTheWay(const LoopNode &Of) {
  return std::ranges::any_of(
      Of.Via, [](const Called *Each) { return validates(*Each); });
}

// A call with this part of a pass is no update beside the work, whatever its
// name.
constexpr double MostlyOne = 0.5;

// Whether most of its calls save or show something.
bool isOutput(const LoopNode &Of) {
  uint64_t Calls = 0, Output = 0;
  for (const auto &[Key, To] : Of.In->Calls)
    if (isIn(Key.first, *Of.In, Of.Loop)) {
      Calls += To->Count;
      Output += isOutput(*To) ? To->Count : 0;
    }
  return 2 * Calls >= Of.Count && 2 * Output >= Calls;
}

class Judge {
public:
  Judge(SourceFiles &Sources, bool IsWorker)
      : Sources(Sources), IsWorker(IsWorker) {}

  StepLoops run(const LoopNode &Root) {
    StepLoops Result;
    const LoopNode *At = outermost(Root);
    if (At == nullptr)
      return Result;
    while (const LoopNode *Next = nextInner(*At))
      At = Next;
    Result.Likeliest = At;
    Result.IsOutput = isOutput(*At);
    Result.Serves = IsWorker && At->Outer->In == nullptr &&
                    Sources.waits(At->In->Of.LineFile, At->Loop);
    addOthers(Root, *At, Result.Others);
    return Result;
  }

private:
  // Whether its pass is likely to be more than a part of a step.
  bool mayHaveSteps(const LoopNode &Of) {
    // Layers may be trained one after the other, each for some epochs.
    if (headSays(Of, isOfModel))
      return std::ranges::any_of(Of.Inner, [&](const auto &Each) {
        return Each->Via.empty() && iterates(*Each) && mayHaveSteps(*Each);
      });
    size_t Own = 0, Systems = 0;
    const Called *Only = nullptr;
    for (const Piece &Each : passOf(Of, Sources)) {
      if (!isPartOf(PartOfLoop, Each.Count, Of.Count))
        continue;
      bool IsSystem =
          !Each.IsOwn && std::ranges::all_of(Each.Calls, [](const Called *To) {
            return To->Of.IsSystem;
          });
      ++(IsSystem ? Systems : Own);
      Only = Each.Calls.empty() ? nullptr : Each.Calls.front();
    }
    if (Own + Systems >= 2 && Own != 0)
      return true;
    if (Own == 1 && Only != nullptr && partsOf(Of, Sources) != nullptr)
      return true;
    return (Own != 0 && (countsData(Of) || callsStep(Of))) ||
           handlesSamples(Of) ||
           std::ranges::any_of(
               Of.Inner, [&](const auto &Each) { return mayHaveSteps(*Each); });
  }

  // Whether a call that matters is a whole step by its name.
  bool callsStep(const LoopNode &Of) {
    return std::ranges::any_of(passOf(Of, Sources), [&](const Piece &Each) {
      return !Each.IsLoop && isPartOf(PartOfLoop, Each.Count, Of.Count) &&
             roleOf(*Each.Calls.front()) == TrainingRole::Step;
    });
  }

  // Whether it is a pass of iterations over something that takes a loop and
  // more each, maybe without a call: another loop, or code of its own.
  bool handlesSamples(const LoopNode &Of) {
    return Of.Via.empty() && Of.Outer->In != nullptr && iterates(*Of.Outer) &&
           !Of.Inner.empty() &&
           (Sources.loopsIn(Of.In->Of.LineFile, Of.Loop) > 1 ||
            isPartOf(PartOfLoop, ownCode(Of, Sources), Of.Count));
  }

  // Whether one of the program's own functions matters in it.
  static bool callsWork(const LoopNode &Of) {
    return !headSays(Of, isOfModel) &&
           std::ranges::any_of(Of.In->Calls, [&](const auto &Each) {
             const Called &To = *Each.second;
             return !To.Of.IsSystem &&
                    isIn(Each.first.first, *Of.In, Of.Loop) &&
                    isPartOf(PartOfLoop, To.Count, Of.Count);
           });
  }

  // Of loops that are beside each other, the one that trains; null: none.
  const LoopNode *training(const LoopNode &Outer) {
    std::vector<const LoopNode *> All;
    for (const std::unique_ptr<LoopNode> &Each : Outer.Inner)
      if (isPartOf(SomeOfCalls, Each->Count, Outer.Count) &&
          mayHaveSteps(*Each) && !isOutput(*Each))
        All.push_back(Each.get());
    auto Keep = [&](auto Is) {
      std::vector<const LoopNode *> Kept;
      std::ranges::copy_if(All, std::back_inserter(Kept), Is);
      if (!Kept.empty())
        All = std::move(Kept);
    };
    Keep([](const LoopNode *Each) { return !validatesOnTheWay(*Each); });
    Keep([](const LoopNode *Each) { return trainsOnTheWay(*Each); });
    if (All.empty())
      return nullptr;
    const LoopNode *Result = All.front();
    for (const LoopNode *Each : All)
      if (isValidationOf(*Result, *Each))
        Result = Each;
    return Result;
  }

  // Whether most of ONE is work of OTHER, which does other work, too.
  bool isValidationOf(const LoopNode &One, const LoopNode &Other) {
    if (&One == &Other)
      return false;
    auto Shared = [](const LoopNode &Of, const Functions &Work) {
      uint64_t Result = 0;
      for (const auto &[Key, To] : Of.In->Calls)
        if (isIn(Key.first, *Of.In, Of.Loop))
          Result += samplesIn(*To, Work);
      return 2 * Result >= Of.Count;
    };
    auto AllIn = [](const LoopNode &Of, const LoopNode &In) {
      for (const auto &[Key, To] : Of.In->Calls)
        if (isIn(Key.first, *Of.In, Of.Loop) &&
            isPartOf(PartOfLoop, To->Count, Of.Count) && !calls(In, *To))
          return false;
      return true;
    };
    return Shared(One, workOf(Other)) && !AllIn(Other, One) &&
           AllIn(One, Other);
  }
  static bool calls(const LoopNode &Loop, const Called &Of) {
    for (const auto &[Key, To] : Loop.In->Calls)
      if (isIn(Key.first, *Loop.In, Loop.Loop) &&
          samplesIn(*To, {Of.Of.Function}) != 0)
        return true;
    return false;
  }

  // Where the walk begins.
  const LoopNode *outermost(const LoopNode &Root) {
    if (const LoopNode *Result = training(Root))
      return Result;
    // Without a loop that may have steps: the innermost one around most calls.
    const LoopNode *Result = nullptr;
    for (const LoopNode *At = &Root; At != nullptr && !At->Inner.empty();) {
      At = At->Inner.front().get();
      if (!isPartOf(SomeOfCalls, At->Count, Root.Count) ||
          (Result != nullptr &&
           (headSays(*At, isOfModel) ||
            (converges(*Result) && !At->Via.empty() && !saysStep(*At)))))
        break;
      uint64_t Calls = 0;
      for (const auto &[Key, To] : At->In->Calls)
        Calls += isIn(Key.first, *At->In, At->Loop) ? To->Count : 0;
      bool HasWork =
          isPartOf(LeastOfThread, Calls, Root.Count) && !At->Inner.empty();
      if (isPartOf(SomeOfCalls, Calls, At->Count) || HasWork ||
          countsEpochs(*At) || countsData(*At))
        Result = At;
    }
    return Result;
  }

  // Whether names say that a pass of it is a step.
  bool saysStep(const LoopNode &Of) {
    if (countsData(Of) || headSays(Of, isTrees) || callsStep(Of))
      return true;
    for (const Piece &Each : passOf(Of, Sources)) {
      if (Each.IsLoop)
        continue;
      bool IsMost = isPartOf(MostlyOne, Each.Count, Of.Count);
      TrainingRole R = roleOf(*Each.Calls.front());
      // An update that takes most of the time is more than an update, as the
      // line search of a method that takes all data at once; beside it, little
      // time goes backward.
      if ((!IsMost &&
           (R == TrainingRole::OptStep || R == TrainingRole::ZeroGrad)) ||
          (isPartOf(LeastOfThread, Each.Count, Of.Count) &&
           R == TrainingRole::Backward))
        return true;
    }
    return false;
  }

  // Whether each pass of OF starts threads, by NEXT in it, and waits for them:
  // the parts of one step. A loop that only starts them is no pass.
  bool startsThreads(const LoopNode &Of, const LoopNode &Next) {
    auto Joins = [&](const LoopNode &Each) {
      return Sources.joins(Each.In->Of.LineFile, Each.Loop);
    };
    bool Starts = isOfStarted(Next) ||
                  (Next.Via.empty() && !Joins(Next) &&
                   std::ranges::any_of(Next.Inner, [](const auto &Each) {
                     return isOfStarted(*Each);
                   }));
    return Starts && Joins(Of);
  }

  // The loop in OF whose passes are likelier to be steps; null: OF's are.
  const LoopNode *nextInner(const LoopNode &Of) {
    const LoopNode *Next = training(Of);
    if (Next == nullptr || saysStep(Of))
      return nullptr;
    if (isPassOfMethod(Of, *Next) ||
        (!countsEpochs(Of) && startsThreads(Of, *Next)))
      return nullptr;
    bool IsHere = Next->Via.empty();
    if (isOutermostOfThread(Of, IsWorker) && !countsEpochs(Of) &&
        !iterates(Of) && !isByJob(*Next) && !startsTeam(Of) &&
        !(IsHere && iterates(*Next) && isInRegions(Of)))
      return nullptr;
    Functions Work = workOf(*Next);
    std::vector<Piece> Rest = beside(Of, *Next, Sources);
    std::erase_if(Rest, [](const Piece &Each) { return isOutput(Each); });
    bool IsNamed = countsEpochs(Of) || iterates(Of) || trainsOnTheWay(*Next);
    if (Rest.empty()) {
      // A solver may solve a smaller problem in each of its steps.
      bool Trains =
          trainsOnTheWay(*Next) && !(trains(*Of.In) && solvesOnTheWay(*Next));
      bool Leaves = !IsHere && !Trains && !countsEpochs(Of);
      // Iterations over data are epochs; those of other methods are steps.
      bool Solves = iterates(Of) || converges(Of)
                        ? !saysStep(*Next)
                        : !headSays(Of, isAttempt) && trains(*Of.In);
      return Leaves && Solves ? nullptr : Next;
    }
    bool OnlyValidates = true, Validates = false;
    for (const Piece &Each : Rest) {
      Validates |= validates(Each);
      // Earlier work may make the data to learn from, as playing a game does.
      bool Prepares = Each.IsBefore && !iterates(Of);
      OnlyValidates &= validates(Each) || (!Prepares && repeats(Each, Work));
    }
    if (OnlyValidates)
      return IsHere || IsNamed || Validates ? Next : nullptr;
    return countsEpochs(Of) && 2 * Next->Count >= Of.Count &&
                   (IsHere || (trainsOnTheWay(*Next) &&
                               !std::ranges::any_of(Next->Via, isOfTeam)))
               ? Next
               : nullptr;
  }

  // Whether the loop has other parts than OF, which is in it or around it.
  static bool isOther(const LoopNode &Loop, const LoopNode &Of) {
    uint64_t Less = std::min(Loop.Count, Of.Count);
    uint64_t More = std::max(Loop.Count, Of.Count);
    return Loop.In != Of.In || !isPartOf(1 - PartOfLoop, Less, More);
  }

  // Adds the loops in IN that have other parts than OF, which is IN or around
  // it. One with the same parts stands for those in it.
  void addInner(const LoopNode &Of, const LoopNode &In,
                std::vector<const LoopNode *> &To) {
    for (const std::unique_ptr<LoopNode> &Each : In.Inner)
      if (!isPartOf(SomeOfCalls, Each->Count, Of.Count))
        continue;
      else if (!isOther(*Each, Of))
        addInner(Of, *Each, To);
      else if (mayHaveSteps(*Each) || callsWork(*Each))
        To.push_back(Each.get());
  }

  void addOthers(const LoopNode &Root, const LoopNode &Of,
                 std::vector<const LoopNode *> &To) {
    std::vector<const LoopNode *> Around;
    for (const LoopNode *At = Of.Outer; At != nullptr && At->In != nullptr;
         At = At->Outer)
      if (isOther(*At, Around.empty() ? Of : *Around.back()))
        Around.push_back(At);
    if (!Around.empty())
      To.push_back(Around.front());
    addInner(Of, Of, To);
    for (const LoopNode *At = &Of; At->Outer != nullptr; At = At->Outer)
      for (const std::unique_ptr<LoopNode> &Each : At->Outer->Inner)
        if (Each.get() != At &&
            isPartOf(SomeOfCalls, Each->Count, Root.Count) &&
            !validatesOnTheWay(*Each) && !isValidationOf(*Each, Of) &&
            mayHaveSteps(*Each))
          To.push_back(Each.get());
    if (!Around.empty())
      To.insert(To.end(), Around.begin() + 1, Around.end());
  }

  SourceFiles &Sources;
  bool IsWorker;
};
} // namespace

StepLoops loopscope::stepLoops(const LoopNode &Root, bool IsWorker,
                               SourceFiles &Sources) {
  return Judge(Sources, IsWorker).run(Root);
}

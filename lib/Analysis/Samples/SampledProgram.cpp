// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples -> calls of functions -> loops -> the ones that may have the steps.

#include "Analysis/Samples/SampledProgram.h"

#include "Analysis/Samples/LoopParts.h"
#include "Analysis/Samples/LoopTree.h"
#include "Analysis/Samples/SampledCalls.h"
#include "Analysis/Samples/StepLoops.h"
#include "Analysis/Thresholds.h"
#include "Support/Order.h"

#include <algorithm>
#include <memory>

using namespace loopscope;

namespace {
// What was counted of a part's calls, if all of its instructions were.
std::optional<CallCount> callsOf(const LoopPart &Of,
                                 const std::vector<CallCount> &Counted) {
  if (Of.Instructions.empty())
    return std::nullopt;
  for (const CallCount &Each : Counted)
    if (std::all_of(Of.Instructions.begin(), Of.Instructions.end(),
                    [&](const CodeAddress &At) {
                      return std::find(Each.Sites.begin(), Each.Sites.end(),
                                       At) != Each.Sites.end();
                    }))
      return Each;
  return std::nullopt;
}

// Says that the parts of WHOLE, a function, are those of a loop that calls it.
LoopCandidate inLoop(LoopCandidate Whole, const LoopNode &Around) {
  Whole.PartsIn = std::move(Whole.Function);
  Whole.Function = Around.In->Of.Function;
  Whole.Library = Around.In->Of.Library;
  Whole.File = Around.In->Of.File;
  Whole.Line = Around.In->Of.FirstLine;
  Whole.First = Around.Loop.First;
  Whole.Last = Around.Loop.Last;
  return Whole;
}

LoopCandidate candidateOf(const LoopNode &Of, LoopSearch &By) {
  LoopCandidate Result = loopCandidate(*Of.In, Of.Loop, By);
  if (!splits(Result))
    if (const Called *Parts = partsOf(Of, By.Sources))
      return inLoop(loopCandidate(*Parts, {}, By), Of);
  return Result;
}

// The heaviest call; null: there is none.
const Called *heaviest(const Called &Of) {
  const Called *Result = nullptr;
  for (const auto &[Key, To] : Of.Calls)
    if (Result == nullptr || To->Count > Result->Count)
      Result = To.get();
  return Result;
}

// The functions in which the time splits, outside of any loop.
void addFunctions(const Called &Root, const LoopNode *Outermost,
                  std::vector<LoopCandidate> &To, LoopSearch &By) {
  for (const Called *At = &Root; At != nullptr;) {
    const Called &In = *At;
    if (Outermost != nullptr && Outermost->In == &In)
      return;
    if (!In.Of.Function.empty() && !In.Of.IsSystem)
      if (LoopCandidate Whole = loopCandidate(In, {}, By); splits(Whole))
        To.push_back(std::move(Whole));
    At = heaviest(In);
    if (At != nullptr && static_cast<double>(At->Count) <
                             SomeOfCalls * static_cast<double>(In.Count))
      return;
  }
}

// Of one group of threads.
std::vector<LoopCandidate> searchLoops(const ThreadGroup &Of, LoopSearch &By) {
  auto Least =
      static_cast<uint64_t>(LeastOfThread * static_cast<double>(Of.Root.Count));
  std::unique_ptr<LoopNode> Tree = loopTree(Of.Root, By.Sources, Least);
  StepLoops Found = stepLoops(*Tree, By.Sources);
  std::vector<LoopCandidate> Loops;
  const LoopNode *Outermost = Found.Likeliest;
  if (Found.Likeliest != nullptr) {
    while (Outermost->Outer->In != nullptr)
      Outermost = Outermost->Outer;
    Loops.push_back(candidateOf(*Found.Likeliest, By));
    for (const LoopNode *Each : Found.Others)
      Loops.push_back(candidateOf(*Each, By));
  }
  addFunctions(Of.Root, Outermost, Loops, By);
  for (LoopCandidate &Each : Loops) {
    Each.Threads = Of.Name;
    Each.ThreadIds = Of.Ids;
    for (LoopPart &Part : Each.Parts)
      Part.Calls = callsOf(Part, By.P.Stacks.Calls);
    if (Each.First == 0)
      continue;
    Each.Number =
        By.Sources.numberOf(Each.File, Each.Line, {Each.First, Each.Last});
    for (const SourceLoop &Around : By.Sources.around(Each.File, Each.First))
      if (Around.First < Each.First && Around.First >= Each.Line)
        Each.Outer.push_back(
            {Around.First, By.Sources.numberOf(Each.File, Each.Line, Around)});
  }
  return Loops;
}

void take(std::vector<LoopCandidate> From, SampledProgram &Into, size_t Most) {
  for (LoopCandidate &Each : From)
    if (Into.Candidates.size() < Most)
      Into.Candidates.push_back(std::move(Each));
}
} // namespace

const LoopCandidate *SampledProgram::likeliestLoop() const {
  auto Found =
      std::find_if(Candidates.begin(), Candidates.end(),
                   [](const LoopCandidate &Each) { return Each.First != 0; });
  return Found == Candidates.end() ? nullptr : &*Found;
}

bool loopscope::hasSamplesOnly(const Run &P) {
  return !P.Stacks.Samples.empty() &&
         std::all_of(P.Nodes.begin(), P.Nodes.end(),
                     [](const Node &N) { return N.Parent == None; });
}

SampledProgram loopscope::sampledProgram(const Run &P) {
  SampledCalls Calls = sampledCalls(P);
  SampledProgram Result;
  Result.Samples = Calls.Samples;
  Result.Whole = Calls.Whole;
  Result.Guessed = Calls.Guessed;
  Result.Threads = Calls.Threads;
  Result.HasLines = Calls.HasLines;
  Result.HasIntervals = areTimesRandom(P.Stacks, Result.Samples);
  LoopSearch By{P, SourceFiles(P.Program), Result.Samples, Result.HasIntervals};
  std::vector<const ThreadGroup *> Order;
  for (const ThreadGroup &Each : Calls.Groups)
    if (Each.Serves)
      Result.Serving += Each.Root.Count;
    else
      Order.push_back(&Each);
  sortLargestFirst(Order, [](const ThreadGroup *A) { return A->Root.Count; });
  constexpr size_t MostOfGroup = 2;
  constexpr size_t Most = 3;
  for (const ThreadGroup *Each : Order)
    if (static_cast<double>(Each->Root.Count) >=
        PartOfLoop * static_cast<double>(Result.Samples))
      take(searchLoops(*Each, By), Result,
           std::min(Most, Order.size() == 1
                              ? Most
                              : Result.Candidates.size() + MostOfGroup));
  for (const auto &[Key, Count] : Calls.Innermost)
    Result.Hottest.push_back(
        {Key.first, Key.second, Count, By.shareOf(Count, Result.Samples)});
  sortLargestFirst(Result.Hottest, &HotFunction::Count);
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples -> calls of functions -> loops -> the ones that may have the steps.

#include "Analysis/Samples/SampledProgram.h"

#include "Analysis/Samples/LoopParts.h"
#include "Analysis/Samples/LoopPieces.h"
#include "Analysis/Samples/LoopTree.h"
#include "Analysis/Samples/SampledCalls.h"
#include "Analysis/Samples/StepLoops.h"
#include "Analysis/Thresholds.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <loopscope/run_settings.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>

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

// Whether its own code and a call both matter.
bool isPartlyOwn(const LoopCandidate &Of) {
  size_t Matter = 0;
  bool HasOwn = false;
  for (const LoopPart &Each : Of.Parts)
    if (100 * PartOfLoop <= Each.OfLoop.Percent) {
      ++Matter;
      HasOwn |= Each.Function.empty();
    }
  return HasOwn && Matter >= 2;
}

// The functions in which the time splits, outside of any loop. One that calls
// itself splits in the same way again.
void addFunctions(const Called &Root, const LoopNode *Outermost,
                  std::vector<LoopCandidate> &To, LoopSearch &By) {
  for (const Called *At = &Root; At != nullptr;) {
    const Called &In = *At;
    if (Outermost != nullptr && Outermost->In == &In)
      return;
    if (!In.Of.Function.empty() && !In.Of.IsSystem &&
        std::ranges::find(To, In.Of.Function, &LoopCandidate::Function) ==
            To.end()) {
      LoopCandidate Whole = loopCandidate(In, {}, By);
      // Without lines, a loop in a function's own code can't be seen.
      if (splits(Whole) || (Outermost == nullptr && isPartlyOwn(Whole)))
        To.push_back(std::move(Whole));
    }
    At = heaviest(In);
    if (At != nullptr && static_cast<double>(At->Count) <
                             SomeOfCalls * static_cast<double>(In.Count))
      return;
  }
}

// Of one group of threads.
struct GroupLoops {
  std::vector<LoopCandidate> Loops;
  bool IsLate = false; // serves other groups, or saves what they computed
};

GroupLoops searchLoops(const ThreadGroup &Of, LoopSearch &By) {
  auto Least =
      static_cast<uint64_t>(LeastOfThread * static_cast<double>(Of.Root.Count));
  std::unique_ptr<LoopNode> Tree = loopTree(Of.Root, By.Sources, Least);
  StepLoops Found = stepLoops(*Tree, Of.Name != "main", By.Sources);
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
      Part.Calls = callsOf(Part, By.R.Stacks.Calls);
    if (Each.First == 0)
      continue;
    SourceLoop Loop = By.Sources.loopAt(Each.File, Each.First, Each.Last);
    Each.Number = By.Sources.numberOf(Each.File, Each.Line, Loop);
    Each.Variable = By.Sources.onlyVariable(Each.File, Each.Line, Loop);
    Each.HasPragma = Loop.HasPragma;
    Each.HasOverloads = By.Sources.hasOverloads(Each.Function, Each.File);
    for (const SourceLoop &Around : By.Sources.around(Each.File, Each.First))
      if (Around.First < Each.First && Around.First >= Each.Line)
        Each.Outer.push_back(
            {Around.First, By.Sources.numberOf(Each.File, Each.Line, Around)});
  }
  return {std::move(Loops), Found.Serves || Found.IsOutput};
}

// Of the headers that have as many samples as a loop would need, those with
// most.
void setHeaders(const SampledCalls &Calls, SampledProgram &Of) {
  auto Most = std::ranges::max_element(
      Calls.Headers, {}, [](const auto &Each) { return Each.second.Count; });
  if (Most == Calls.Headers.end() ||
      static_cast<double>(Most->second.Count) <
          SomeOfCalls * static_cast<double>(Of.Samples))
    return;
  const auto &[Folder, Samples] = *Most;
  Of.Headers = Folder;
  Of.InHeaders = Samples.Count;
  auto From = std::ranges::max_element(
      Samples.From, {}, [](const auto &Each) { return Each.second; });
  if (From != Samples.From.end())
    std::tie(Of.HeadersFrom, Of.FromThere) = *From;
}

using LoopsOfGroup = std::vector<LoopCandidate>; // the likeliest first

// The order of groups: by their likeliest loops, so that a main thread that
// reads, starts threads and writes doesn't come before those.
void sortGroups(std::vector<LoopsOfGroup> &Found) {
  std::erase_if(Found, [](const LoopsOfGroup &Each) { return Each.empty(); });
  sortLargestFirst(Found,
                   [](const LoopsOfGroup &Each) { return Each.front().Count; });
}

// At most three of FOUND, each group's likelier ones first: as many as there is
// room for of the first groups, but one of each.
std::vector<LoopCandidate> likeliest(std::vector<LoopsOfGroup> Found) {
  constexpr size_t Most = 3;
  std::vector<LoopCandidate> Result;
  for (size_t I = 0; I < Found.size() && Result.size() < Most; ++I) {
    size_t Later = std::min(Most - 1, Found.size() - 1 - I);
    size_t Room = Most - Result.size();
    size_t Count = std::min(Found[I].size(), Room > Later ? Room - Later : 1);
    std::move(Found[I].begin(),
              Found[I].begin() + static_cast<std::ptrdiff_t>(Count),
              std::back_inserter(Result));
  }
  return Result;
}
} // namespace

const LoopCandidate *SampledProgram::likeliestLoop() const {
  auto Found =
      std::find_if(Candidates.begin(), Candidates.end(),
                   [](const LoopCandidate &Each) { return Each.First != 0; });
  return Found == Candidates.end() ? nullptr : &*Found;
}

const LoopCandidate *SampledProgram::likeliestSelectable() const {
  auto Found = std::ranges::find_if(Candidates, isSelectable);
  return Found == Candidates.end() ? nullptr : &*Found;
}

bool loopscope::isSelectable(const LoopCandidate &Of) {
  return Of.First != 0 && !Of.HasPragma &&
         (Of.Number != 0 || !Of.Variable.empty());
}

bool SampledProgram::lacksSamples() const {
  constexpr uint64_t Fewest = 100; // of fewer, chance may miss a quarter
  return Expected >= Fewest &&
         static_cast<double>(Samples) <
             LeastOfExpected * static_cast<double>(Expected);
}

bool SampledProgram::lacksMostSamples() const {
  return lacksSamples() && 2 * Samples < Expected;
}

bool loopscope::hasSamplesOnly(const Run &R) {
  return !R.Stacks.Samples.empty() &&
         std::all_of(R.Nodes.begin(), R.Nodes.end(),
                     [](const Node &N) { return N.Parent == None; });
}

SampledProgram loopscope::sampledProgram(const Run &R) {
  SampledCalls Calls = sampledCalls(R);
  SampledProgram Result;
  Result.Samples = Calls.Samples;
  Result.Whole = Calls.Whole;
  Result.Guessed = Calls.Guessed;
  Result.Threads = Calls.Threads;
  Result.HasLines = Calls.HasLines;
  Result.Lost = std::move(Calls.Lost);
  setHeaders(Calls, Result);
  Result.Expected = static_cast<uint64_t>(
      toSeconds(static_cast<int64_t>(R.Stacks.CpuNs)) *
      static_cast<double>(R.Given.of(LOOPSCOPE_SETTING_STACKS_HZ)));
  Result.HasIntervals = areTimesRandom(R.Stacks, Result.Samples);
  LoopSearch By{R, SourceFiles(R.Program), Result.Samples, Result.HasIntervals};
  std::vector<const ThreadGroup *> Order;
  for (const ThreadGroup &Each : Calls.Groups)
    if (Each.Serves)
      Result.Serving += Each.Root.Count;
    else
      Order.push_back(&Each);
  sortLargestFirst(Order, [](const ThreadGroup *A) { return A->Root.Count; });
  std::vector<LoopsOfGroup> Found, Late;
  for (const ThreadGroup *Each : Order)
    if (static_cast<double>(Each->Root.Count) >=
        PartOfLoop * static_cast<double>(Result.Samples)) {
      GroupLoops Next = searchLoops(*Each, By);
      (Next.IsLate ? Late : Found).push_back(std::move(Next.Loops));
    }
  sortGroups(Found);
  sortGroups(Late);
  std::ranges::move(Late, std::back_inserter(Found));
  Result.Candidates = likeliest(std::move(Found));
  for (const auto &[Key, Count] : Calls.Innermost)
    Result.Hottest.push_back(
        {Key.first, Key.second, Count, By.shareOf(Count, Result.Samples)});
  sortLargestFirst(Result.Hottest, &HotFunction::Count);
  return Result;
}

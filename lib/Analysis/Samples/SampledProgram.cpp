// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples -> calls of functions -> the loop in which they split.

#include "Analysis/Samples/SampledProgram.h"

#include "Analysis/Samples/SampledCalls.h"
#include "Analysis/Samples/SourceLoops.h"
#include "Analysis/Thresholds.h"
#include "Support/Order.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// The loops of source files that weren't changed since the program was linked.
class LoopLines {
public:
  explicit LoopLines(const std::string &Program) {
    std::error_code Failed;
    Linked = fs::last_write_time(Program, Failed);
    IsKnown = !Failed;
  }
  // Those around LINE of FILE, the outermost first.
  std::vector<SourceLoop> around(const std::string &File, uint32_t Line) {
    std::vector<SourceLoop> Result;
    for (const SourceLoop &Each : of(File))
      if (Each.First <= Line && Line <= Each.Last)
        Result.push_back(Each);
    return Result;
  }
  // The number of LOOP among those of the function that begins at LINE.
  uint32_t numberOf(const std::string &File, uint32_t Line,
                    const SourceLoop &Loop) {
    uint32_t Result = 0;
    for (const SourceLoop &Each : of(File))
      Result += Each.First >= Line &&
                        (Each.First < Loop.First ||
                         (Each.First == Loop.First && Each.Last >= Loop.Last))
                    ? 1
                    : 0;
    return Result;
  }

private:
  const std::vector<SourceLoop> &of(const std::string &File) {
    auto [Found, IsNew] = Known.try_emplace(File);
    std::error_code Failed;
    if (!IsNew || !IsKnown || fs::last_write_time(File, Failed) > Linked ||
        Failed)
      return Found->second;
    Found->second = sourceLoops(readFile(File));
    return Found->second;
  }

  fs::file_time_type Linked;
  bool IsKnown = false;
  std::map<std::string, std::vector<SourceLoop>> Known;
};

// What the search for the loop shares.
struct Search {
  const Run &P;
  LoopLines Loops;
  uint64_t Samples;
  bool HasIntervals;

  SampleShare shareOf(uint64_t Count, uint64_t Of) const {
    SampleShare Result = sampleShare(Count, Of);
    Result.HasInterval = HasIntervals;
    return Result;
  }
};

std::vector<std::string>
hottest(const std::map<std::string, uint64_t> &Innermost, uint64_t Count) {
  std::vector<std::pair<uint64_t, std::string>> All;
  for (const auto &[Name, Of] : Innermost)
    if (static_cast<double>(Of) >= PartOfLoop * static_cast<double>(Count))
      All.emplace_back(Of, Name);
  sortLargestFirst(All, [](const auto &A) { return A.first; });
  constexpr size_t Most = 2;
  std::vector<std::string> Result;
  for (size_t I = 0; I < std::min(Most, All.size()); ++I)
    Result.push_back(All[I].second);
  return Result;
}

bool isInside(const SourceLoop &Loop, uint32_t Line) {
  return Loop.First == 0 || (Loop.First <= Line && Line <= Loop.Last);
}

// The loop (First 0: the whole function) with its parts; their shares are set.
LoopCandidate candidate(const Called &In, const SourceLoop &Loop,
                        const Search &By) {
  LoopCandidate Result;
  Result.Function = In.Of.Function;
  Result.Library = In.Of.Library;
  Result.File = In.Of.File;
  Result.Line = In.Of.FirstLine;
  Result.First = Loop.First;
  Result.Last = Loop.Last;
  for (const auto &[Key, To] : In.Calls) {
    const CallSite &At = Key.first;
    if (Loop.First != 0 &&
        (At.File != In.Of.LineFile || !isInside(Loop, At.Line)))
      continue;
    Result.Parts.push_back({To->Of.Function,
                            At.File,
                            At.Line,
                            To->Count,
                            {},
                            hottest(To->Innermost, To->Count),
                            {To->Instructions.begin(), To->Instructions.end()},
                            {}});
    Result.Count += To->Count;
  }
  uint64_t Own = 0;
  if (Loop.First == 0)
    Own = In.Own;
  else
    for (const auto &[Line, Count] : In.OwnLines)
      Own += isInside(Loop, Line) ? Count : 0;
  if (Own != 0)
    Result.Parts.push_back({"", In.Of.File, 0, Own, {}, {}, {}, {}});
  Result.Count += Own;
  for (LoopPart &Each : Result.Parts)
    Each.OfLoop = By.shareOf(Each.Count, Result.Count);
  Result.OfRun = By.shareOf(Result.Count, By.Samples);
  sortLargestFirst(Result.Parts, &LoopPart::Count);
  return Result;
}

// Whether at least two of the calls matter.
bool splits(const LoopCandidate &Of) {
  return std::count_if(Of.Parts.begin(), Of.Parts.end(),
                       [&](const LoopPart &Each) {
                         return !Each.Function.empty() &&
                                static_cast<double>(Each.Count) >=
                                    PartOfLoop * static_cast<double>(Of.Count);
                       }) >= 2;
}

// The heaviest call; null: there is none.
const Called *heaviest(const Called &Of) {
  const Called *Result = nullptr;
  for (const auto &[Key, To] : Of.Calls)
    if (Result == nullptr || To->Count > Result->Count)
      Result = To.get();
  return Result;
}

// The innermost loop of IN that has most of its samples and splits.
std::optional<LoopCandidate> splittingLoop(const Called &In, Search &By) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  std::optional<LoopCandidate> Result;
  for (const auto &[Key, To] : In.Calls)
    for (const SourceLoop &Each :
         By.Loops.around(Key.first.File, Key.first.Line)) {
      if (Key.first.File != In.Of.LineFile ||
          !Seen.insert({Each.First, Each.Last}).second)
        continue;
      LoopCandidate Next = candidate(In, Each, By);
      bool IsInner =
          !Result || (Each.First >= Result->First && Each.Last <= Result->Last);
      if (2 * Next.Count >= In.Count && splits(Next) && IsInner)
        Result = std::move(Next);
    }
  return Result;
}

// A loop that the walk has passed: most of its samples are in one call.
struct PassedLoop {
  const Called *In;
  SourceLoop Loop;
};

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

// The innermost loop around the call of TO in IN.
std::optional<PassedLoop> loopAround(const Called &In, const Called &To,
                                     Search &By) {
  for (const auto &[Key, Each] : In.Calls) {
    if (Each.get() != &To || Key.first.File != In.Of.LineFile)
      continue;
    std::vector<SourceLoop> Found =
        By.Loops.around(Key.first.File, Key.first.Line);
    if (!Found.empty())
      return PassedLoop{&In, Found.back()};
  }
  return std::nullopt;
}

// Says that the parts of WHOLE, a function, are those of a loop that calls it.
LoopCandidate inLoop(LoopCandidate Whole, const PassedLoop &Around) {
  Whole.PartsIn = std::move(Whole.Function);
  Whole.Function = Around.In->Of.Function;
  Whole.Library = Around.In->Of.Library;
  Whole.File = Around.In->Of.File;
  Whole.Line = Around.In->Of.FirstLine;
  Whole.First = Around.Loop.First;
  Whole.Last = Around.Loop.Last;
  return Whole;
}

// Walks down one group of threads.
std::vector<LoopCandidate> searchLoops(const ThreadGroup &Of, Search &By) {
  std::vector<LoopCandidate> Loops;
  std::vector<LoopCandidate> Functions;
  std::optional<PassedLoop> Around;
  for (const Called *At = &Of.Root; At != nullptr;) {
    const Called &In = *At;
    At = heaviest(In);
    if (!In.Of.Function.empty() && !In.Of.IsSystem) {
      LoopCandidate Whole = candidate(In, {}, By);
      if (std::optional<LoopCandidate> Found = splittingLoop(In, By))
        Loops.push_back(std::move(*Found));
      else if (splits(Whole) && Around)
        Loops.push_back(inLoop(std::move(Whole), *Around));
      else if (splits(Whole))
        Functions.push_back(std::move(Whole));
      else if (std::optional<PassedLoop> Next =
                   At == nullptr ? std::nullopt : loopAround(In, *At, By))
        Around = Next;
    }
    if (At != nullptr && static_cast<double>(At->Count) <
                             (Loops.empty() ? SomeOfCalls : MostOfCalls) *
                                 static_cast<double>(In.Count))
      break;
  }
  if (Loops.empty() && Around)
    Loops.push_back(candidate(*Around->In, Around->Loop, By));
  Loops.insert(Loops.end(), std::make_move_iterator(Functions.begin()),
               std::make_move_iterator(Functions.end()));
  for (LoopCandidate &Each : Loops) {
    Each.Threads = Of.Name;
    Each.ThreadIds = Of.Ids;
    for (LoopPart &Part : Each.Parts)
      Part.Calls = callsOf(Part, By.P.Stacks.Calls);
    if (Each.First != 0)
      Each.Number =
          By.Loops.numberOf(Each.File, Each.Line, {Each.First, Each.Last});
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
  Search By{P, LoopLines(P.Program), Result.Samples, Result.HasIntervals};
  std::vector<const ThreadGroup *> Order;
  for (const ThreadGroup &Each : Calls.Groups)
    if (!Each.Serves)
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples -> calls of functions -> the loop in which they split.

#include "Analysis/Samples/SampledProgram.h"

#include "Analysis/Samples/SampledCalls.h"
#include "Analysis/Samples/SourceFiles.h"
#include "Analysis/Thresholds.h"
#include "Support/Order.h"
#include "Symbols/Demangle.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>

using namespace loopscope;

namespace {
// What the search for the loop shares.
struct Search {
  const Run &P;
  SourceFiles Sources;
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

// Whether a call of IN is in its LOOP (First 0: in the whole function).
bool isIn(const CallSite &At, const Called &In, const SourceLoop &Loop) {
  return Loop.First == 0 ||
         (At.File == In.Of.LineFile && isInside(Loop, At.Line));
}

// The calls of one function on one line or, without lines, in one function.
struct PartCalls {
  uint64_t Count = 0;
  std::map<std::string, uint64_t> Innermost;
  std::set<CodeAddress> Instructions;
  bool IsInlined = false;
  const CalledFrame *Of = nullptr;

  void add(const Called &Call) {
    Of = &Call.Of;
    Count += Call.Count;
    for (const auto &[Name, Samples] : Call.Innermost)
      Innermost[Name] += Samples;
    IsInlined |= Call.IsInlined;
    Instructions.insert(Call.Instructions.begin(), Call.Instructions.end());
    if (IsInlined)
      Instructions.clear();
  }
};

// The loop (First 0: the whole function) with its parts; their shares are set.
LoopCandidate candidate(const Called &In, const SourceLoop &Loop, Search &By) {
  LoopCandidate Result;
  Result.Function = In.Of.Function;
  Result.Library = In.Of.Library;
  Result.File = In.Of.File;
  Result.Line = In.Of.FirstLine;
  Result.First = Loop.First;
  Result.Last = Loop.Last;
  std::map<std::pair<CallSite, std::string>, PartCalls> Parts;
  for (const auto &[Key, To] : In.Calls)
    if (isIn(Key.first, In, Loop))
      Parts[{CallSite{Key.first.File, Key.first.Line, 0}, Key.second}].add(*To);
  for (const auto &[Key, Each] : Parts) {
    const auto &[At, Function] = Key;
    LoopPart Part;
    Part.Function = Function;
    Part.File = At.File;
    Part.Line = At.Line;
    Part.Count = Each.Count;
    Part.Hottest = hottest(Each.Innermost, Each.Count);
    Part.Instructions = {Each.Instructions.begin(), Each.Instructions.end()};
    Part.Source =
        By.Sources.callOf(Function, At.File, At.Line, In.Of.FirstLine);
    Part.IsSystem = Each.Of->IsSystem;
    if (Part.IsSystem && !Part.Source.Name.empty() &&
        Part.Source.Name != plainName(Function))
      Part.Function = Part.Source.Name; // fread, not _IO_fread
    Part.IsVirtual = Each.Of->IsVirtual;
    Part.HasDefinition =
        !Part.IsSystem &&
        By.Sources.hasDefinition(Function, Each.Of->File, Each.Of->FirstLine);
    Result.Parts.push_back(std::move(Part));
    Result.Count += Each.Count;
  }
  uint64_t Own = 0;
  if (Loop.First == 0)
    Own = In.Own;
  else
    for (const auto &[Line, Count] : In.OwnLines)
      Own += isInside(Loop, Line) ? Count : 0;
  if (Own != 0) {
    Result.Parts.emplace_back();
    Result.Parts.back().File = In.Of.File;
    Result.Parts.back().Count = Own;
  }
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

// The loops of IN that have most of its samples and split, the outermost first.
std::vector<LoopCandidate> splittingLoops(const Called &In, Search &By) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  std::vector<LoopCandidate> Result;
  for (const auto &[Key, To] : In.Calls)
    for (const SourceLoop &Each :
         By.Sources.around(Key.first.File, Key.first.Line)) {
      if (Key.first.File != In.Of.LineFile ||
          !Seen.insert({Each.First, Each.Last}).second)
        continue;
      LoopCandidate Next = candidate(In, Each, By);
      if (2 * Next.Count >= In.Count && splits(Next))
        Result.push_back(std::move(Next));
    }
  sortLargestFirst(
      Result, [](const LoopCandidate &Each) { return Each.Last - Each.First; });
  return Result;
}

// Whether OF or what it calls has one of these names.
bool calls(const Called &Of, const std::set<std::string> &Names) {
  return Names.contains(Of.Of.Function) ||
         std::ranges::any_of(Of.Calls, [&](const auto &Each) {
           return calls(*Each.second, Names);
         });
}

// The samples of IN's calls in LOOP.
uint64_t samplesIn(const Called &In, const SourceLoop &Loop) {
  uint64_t Result = 0;
  for (const auto &[Key, To] : In.Calls)
    Result += isIn(Key.first, In, Loop) ? To->Count : 0;
  return Result;
}

// The calls of IN that matter in LOOP, and what calls further functions in
// them: other loops that do the same work call these, too.
std::set<std::string> workOf(const Called &In, const SourceLoop &Loop) {
  std::set<std::string> Result;
  uint64_t Samples = samplesIn(In, Loop);
  for (const auto &[Key, To] : In.Calls) {
    if (!isIn(Key.first, In, Loop) ||
        static_cast<double>(To->Count) <
            PartOfLoop * static_cast<double>(Samples))
      continue;
    Result.insert(To->Of.Function);
    for (const auto &[Inner, Callee] : To->Calls)
      if (!Callee->Calls.empty())
        Result.insert(Callee->Of.Function);
  }
  return Result;
}

// Whether a pass of OUTER is one piece of work of which INNER, a loop in it, is
// a part: as much is in another loop beside INNER, which calls nothing of what
// INNER calls, as in a forward and a backward pass over time. Validation calls
// what training calls.
bool isPartOfPass(const Called &In, const LoopCandidate &Outer,
                  const SourceLoop &Inner, Search &By) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> Others;
  std::set<std::string> Work = workOf(In, Inner);
  for (const auto &[Key, To] : In.Calls) {
    const CallSite &At = Key.first;
    if (!isIn(At, In, {Outer.First, Outer.Last}) || isIn(At, In, Inner) ||
        calls(*To, Work))
      continue;
    for (const SourceLoop &Each : By.Sources.around(At.File, At.Line))
      if (Each.First >= Outer.First && Each.Last <= Outer.Last &&
          (Each.Last < Inner.First || Each.First > Inner.Last)) {
        Others[{Each.First, Each.Last}] += To->Count;
        break;
      }
  }
  return std::ranges::any_of(Others, [&](const auto &Each) {
    return static_cast<double>(Each.second) >=
           PartOfLoop * static_cast<double>(Outer.Count);
  });
}

// Of NEST, a function's loops from the outermost, the one whose passes are
// likely to be steps, then the next one in or around it that has other parts.
std::vector<LoopCandidate>
likelyLoops(const Called &In, std::vector<LoopCandidate> Nest, Search &By) {
  std::vector<LoopCandidate> Result;
  if (Nest.empty())
    return Result;
  size_t At = Nest.size() - 1;
  while (At > 0 &&
         isPartOfPass(In, Nest[At - 1], {Nest[At].First, Nest[At].Last}, By))
    --At;
  size_t Other = At + 1 < Nest.size() ? At + 1 : At - 1;
  Result.push_back(Nest[At]);
  if (Other < Nest.size() &&
      static_cast<double>(std::min(Nest[At].Count, Nest[Other].Count)) <=
          (1 - PartOfLoop) *
              static_cast<double>(std::max(Nest[At].Count, Nest[Other].Count)))
    Result.push_back(Nest[Other]);
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
        By.Sources.around(Key.first.File, Key.first.Line);
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

// A loop in FOUND around the call of TO that has most of IN's samples, if all
// that matters beside it repeats some of its work, as validation does: then its
// passes are likely to be the steps, and those of FOUND epochs.
std::optional<PassedLoop> innerLoop(const Called &In, const Called *To,
                                    const LoopCandidate &Found, Search &By) {
  std::optional<PassedLoop> Inner =
      To == nullptr ? std::nullopt : loopAround(In, *To, By);
  if (!Inner || Inner->Loop.First < Found.First ||
      Inner->Loop.Last > Found.Last ||
      (Inner->Loop.First == Found.First && Inner->Loop.Last == Found.Last) ||
      2 * samplesIn(In, Inner->Loop) < In.Count)
    return std::nullopt;
  std::set<std::string> Work = workOf(In, Inner->Loop);
  for (const auto &[Key, Each] : In.Calls)
    if (isIn(Key.first, In, {Found.First, Found.Last}) &&
        !isIn(Key.first, In, Inner->Loop) &&
        static_cast<double>(Each->Count) >=
            PartOfLoop * static_cast<double>(Found.Count) &&
        !calls(*Each, Work))
      return std::nullopt;
  return Inner;
}

// Whether a function's or its class's name says that it trains, by a word of
// it.
bool trains(const std::string &Function) {
  std::string Word;
  auto Says = [&] {
    bool Result = Word == "fit" || Word == "epoch";
    for (std::string_view Each : {"train", "learn", "optimi", "solve"})
      Result |= Word.starts_with(Each);
    return Result;
  };
  for (char C : withoutArguments(Function)) {
    bool IsUpper = C >= 'A' && C <= 'Z';
    if (IsUpper || C == '_' || C == ':') {
      if (Says())
        return true;
      Word.clear();
    }
    if (C != '_' && C != ':')
      Word += IsUpper ? static_cast<char>(C - 'A' + 'a') : C;
  }
  return Says();
}

// Of the loops that the walk has passed, the first one whose function trains,
// if that of the likeliest loop doesn't, is likelier; else the outermost one is
// another candidate.
void addPassed(const std::vector<PassedLoop> &Passed,
               std::vector<LoopCandidate> &Loops,
               std::vector<LoopCandidate> &Others, Search &By) {
  if (Passed.empty() || Loops.empty())
    return;
  const LoopCandidate &First = Loops.front();
  auto Trains = std::ranges::find_if(Passed, [](const PassedLoop &Each) {
    return trains(Each.In->Of.Function);
  });
  if (Trains != Passed.end() && !trains(First.Function) &&
      !trains(First.PartsIn)) {
    Loops.insert(Loops.begin(), candidate(*Trains->In, Trains->Loop, By));
    return;
  }
  const PassedLoop &Outer = Passed.front();
  auto IsOuter = [&](const LoopCandidate &Each) {
    return Each.File == Outer.In->Of.File && Each.First == Outer.Loop.First;
  };
  if (std::ranges::none_of(Loops, IsOuter) &&
      std::ranges::none_of(Others, IsOuter))
    Others.push_back(candidate(*Outer.In, Outer.Loop, By));
}

// Walks down one group of threads.
std::vector<LoopCandidate> searchLoops(const ThreadGroup &Of, Search &By) {
  std::vector<LoopCandidate> Loops, Others, Functions;
  std::vector<PassedLoop> Passed;
  std::optional<PassedLoop> Around;
  for (const Called *At = &Of.Root; At != nullptr;) {
    const Called &In = *At;
    At = heaviest(In);
    double Least = Loops.empty() ? SomeOfCalls : MostOfCalls;
    if (!In.Of.Function.empty() && !In.Of.IsSystem) {
      LoopCandidate Whole = candidate(In, {}, By);
      std::vector<LoopCandidate> Found =
          likelyLoops(In, splittingLoops(In, By), By);
      if (!Found.empty()) {
        std::optional<PassedLoop> Inner =
            Loops.empty() ? innerLoop(In, At, Found.front(), By) : std::nullopt;
        if (Inner) {
          Around = Inner;
          Others.push_back(std::move(Found.front()));
          Least = SomeOfCalls;
        } else {
          Loops.push_back(std::move(Found.front()));
          Around.reset(); // what follows is inside this loop
        }
        Others.insert(Others.end(), std::make_move_iterator(Found.begin() + 1),
                      std::make_move_iterator(Found.end()));
      } else if (splits(Whole) && Around) {
        Loops.push_back(inLoop(std::move(Whole), *Around));
      } else if (splits(Whole)) {
        Functions.push_back(std::move(Whole));
      } else if (std::optional<PassedLoop> Next =
                     At == nullptr ? std::nullopt : loopAround(In, *At, By)) {
        Around = Next;
        Passed.push_back(*Next);
      }
    }
    if (At != nullptr &&
        static_cast<double>(At->Count) < Least * static_cast<double>(In.Count))
      break;
  }
  if (Loops.empty() && Around)
    Loops.push_back(candidate(*Around->In, Around->Loop, By));
  addPassed(Passed, Loops, Others, By);
  for (std::vector<LoopCandidate> *Each : {&Others, &Functions})
    Loops.insert(Loops.end(), std::make_move_iterator(Each->begin()),
                 std::make_move_iterator(Each->end()));
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
  Search By{P, SourceFiles(P.Program), Result.Samples, Result.HasIntervals};
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a loop, added up by their lines.

#include "Analysis/Samples/LoopParts.h"

#include "Analysis/Thresholds.h"
#include "Support/Order.h"
#include "Symbols/Demangle.h"

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
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

// The calls of one function on one line or, without lines, in one function.
struct PartCalls {
  uint64_t Count = 0;
  std::map<std::string, uint64_t> Innermost;
  std::set<CodeAddress> Instructions;
  bool IsInlined = false;
  bool HasCallees = false;
  const CalledFrame *Of = nullptr;

  void add(const Called &Call) {
    Of = &Call.Of;
    Count += Call.Count;
    for (const auto &[Name, Samples] : Call.Innermost)
      Innermost[Name] += Samples;
    IsInlined |= Call.IsInlined;
    HasCallees |= !Call.Calls.empty();
    Instructions.insert(Call.Instructions.begin(), Call.Instructions.end());
    if (IsInlined)
      Instructions.clear();
  }
};

} // namespace

LoopCandidate loopscope::loopCandidate(const Called &In, const SourceLoop &Loop,
                                       LoopSearch &By) {
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
    Part.IsSystem = Each.Of->IsSystem;
    Part.IsSmall = Each.IsInlined && !Each.HasCallees;
    Part.Source = By.Sources.callOf(Function, At.File, At.Line, In.Of.FirstLine,
                                    Part.IsSystem);
    if (Part.IsSystem && !Part.Source.Name.empty() &&
        Part.Source.Name != plainName(Function))
      Part.Function = Part.Source.Name; // fread, not _IO_fread
    Part.IsVirtual = Each.Of->IsVirtual;
    Part.HasOverloads = By.Sources.hasOverloads(Function, Each.Of->File);
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

bool loopscope::splits(const LoopCandidate &Of) {
  return std::count_if(Of.Parts.begin(), Of.Parts.end(),
                       [&](const LoopPart &Each) {
                         return !Each.Function.empty() &&
                                static_cast<double>(Each.Count) >=
                                    PartOfLoop * static_cast<double>(Of.Count);
                       }) >= 2;
}

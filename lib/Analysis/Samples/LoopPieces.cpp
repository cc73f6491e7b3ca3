// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls and own lines of a loop, grouped by the outermost loops in it.

#include "Analysis/Samples/LoopPieces.h"

#include "Analysis/Thresholds.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

using namespace loopscope;

namespace {
using Functions = std::set<std::string>;
using Pieces = std::vector<Piece>;

// What is in LOOP of IN (line 0: the function), without what is in the loop
// WITHOUT, if any, and without the call BUT. Loops that are one piece are the
// outermost ones in LOOP.
Pieces piecesOf(const Called &In, const SourceLoop &Loop,
                const SourceLoop *Without, const Called *But,
                SourceFiles &Sources) {
  using Lines = std::pair<uint32_t, uint32_t>;
  std::map<std::pair<Lines, std::string>, Piece> Found;
  auto Outermost = [&](uint32_t Line) {
    for (const SourceLoop &Each : loopsOf(In, Line, Sources))
      if (Loop.First == 0 ||
          (Each.First >= Loop.First && Each.Last <= Loop.Last &&
           (Each.First != Loop.First || Each.Last != Loop.Last)))
        return Lines{Each.First, Each.Last};
    return Lines{0, 0};
  };
  // A call through a pointer is one piece, whatever it reaches.
  std::map<CodeAddress, std::string> Reached;
  auto CalleeOf = [&](const Called &To) {
    std::string Result = To.Of.Function;
    for (const CodeAddress &Each : To.Instructions)
      if (auto Known = Reached.find(Each); Known != Reached.end())
        Result = Known->second;
    for (const CodeAddress &Each : To.Instructions)
      Reached.emplace(Each, Result);
    return Result;
  };
  auto Begin = [](Piece &Of, uint32_t Line) {
    if (Of.Line == 0 || (Line != 0 && Line < Of.Line))
      Of.Line = Line;
  };
  for (const auto &[Key, To] : In.Calls) {
    const CallSite &At = Key.first;
    if (To.get() == But || !isIn(At, In, Loop) ||
        (Without != nullptr && isIn(At, In, *Without)))
      continue;
    Lines Around = At.File == In.Of.LineFile ? Outermost(At.Line) : Lines{0, 0};
    Piece &Each =
        Found[{Around, Around.first == 0 ? CalleeOf(*To) : std::string()}];
    Each.Count += To->Count;
    Each.IsLoop = Around.first != 0;
    Each.Calls.push_back(To.get());
    Begin(Each, Around.first == 0 ? At.Line : Around.first);
  }
  for (const auto &[Line, Count] : In.OwnLines) {
    if (!isInside(Loop, Line) ||
        (Without != nullptr && isInside(*Without, Line)))
      continue;
    Lines Around = Outermost(Line);
    if (Around.first == 0)
      continue;
    Piece &Each = Found[{Around, std::string()}];
    Each.Count += Count;
    Each.IsLoop = Each.IsOwn = true;
    Begin(Each, Around.first);
  }
  Pieces Result;
  for (auto &[Key, Each] : Found)
    Result.push_back(std::move(Each));
  return Result;
}

// Whether it is a wait for the others of a team, and no region of them.
bool isWaitOfTeam(const Called *Of) {
  return isOfTeam(Of) && std::ranges::all_of(Of->Calls, [](const auto &Each) {
           return isWaitOfTeam(Each.second.get());
         });
}

// The line in IN that calls OF.
uint32_t lineOfCall(const Called &In, const Called &Of) {
  auto Found = std::ranges::find_if(
      In.Calls, [&](const auto &Each) { return Each.second.get() == &Of; });
  return Found == In.Calls.end() ? 0 : Found->first.first.Line;
}

} // namespace

bool loopscope::isPartOf(double Least, uint64_t Count, uint64_t Of) {
  return static_cast<double>(Count) >= Least * static_cast<double>(Of);
}

bool loopscope::isOfTeam(const Called *Of) {
  constexpr std::string_view Teams[] = {"libgomp", "libomp", "libiomp"};
  return std::ranges::any_of(Teams, [&](std::string_view Name) {
    return Of->Of.Library.starts_with(Name);
  });
}

Pieces loopscope::passOf(const LoopNode &Of, SourceFiles &Sources) {
  return piecesOf(*Of.In, Of.Loop, nullptr, nullptr, Sources);
}

uint64_t loopscope::ownCode(const LoopNode &Of, SourceFiles &Sources) {
  uint64_t Result = 0;
  for (const auto &[Line, Count] : Of.In->OwnLines) {
    std::vector<SourceLoop> Around = loopsOf(*Of.In, Line, Sources);
    if (!Around.empty() && Line != Of.Loop.First &&
        Around.back().First == Of.Loop.First &&
        Around.back().Last == Of.Loop.Last)
      Result += Count;
  }
  return Result;
}

Pieces loopscope::beside(const LoopNode &Outer, const LoopNode &Inner,
                         SourceFiles &Sources) {
  Pieces Result;
  uint64_t Waits = 0;
  auto Add = [&](const Called &In, const SourceLoop &Loop,
                 const SourceLoop *Without, const Called *But) {
    uint32_t InnerLine =
        Without != nullptr ? Without->First : lineOfCall(In, *But);
    for (Piece &Each : piecesOf(In, Loop, Without, But, Sources)) {
      if (!Each.IsOwn && std::ranges::all_of(Each.Calls, isWaitOfTeam)) {
        Waits += Each.Count;
        continue;
      }
      Each.IsBefore = Each.Line != 0 && Each.Line < InnerLine;
      Result.push_back(std::move(Each));
    }
  };
  const std::vector<const Called *> &Via = Inner.Via;
  if (Via.empty()) {
    Add(*Outer.In, Outer.Loop, &Inner.Loop, nullptr);
  } else {
    Add(*Outer.In, Outer.Loop, nullptr, Via.front());
    for (size_t I = 0; I + 1 < Via.size(); ++I)
      Add(*Via[I], {}, nullptr, Via[I + 1]);
    Add(*Via.back(), {}, &Inner.Loop, nullptr);
  }
  std::erase_if(Result, [&](const Piece &Each) {
    return !isPartOf(PartOfLoop, Each.Count, Outer.Count - Waits);
  });
  return Result;
}

Functions loopscope::workOf(const LoopNode &Of) {
  Functions Result;
  for (const auto &[Key, To] : Of.In->Calls) {
    if (!isIn(Key.first, *Of.In, Of.Loop) ||
        !isPartOf(PartOfLoop, To->Count, Of.Count))
      continue;
    Result.insert(To->Of.Function);
    for (const auto &[Inner, Callee] : To->Calls)
      if (!Callee->Calls.empty())
        Result.insert(Callee->Of.Function);
  }
  return Result;
}

uint64_t loopscope::samplesIn(const Called &Of, const Functions &Work) {
  if (Work.contains(Of.Of.Function))
    return Of.Count;
  uint64_t Result = 0;
  for (const auto &[Key, To] : Of.Calls)
    Result += samplesIn(*To, Work);
  return Result;
}

bool loopscope::repeats(const Piece &Of, const Functions &Work) {
  uint64_t Samples = 0;
  for (const Called *Each : Of.Calls)
    Samples += samplesIn(*Each, Work);
  return 2 * Samples >= Of.Count;
}

const Called *loopscope::partsOf(const LoopNode &Of, SourceFiles &Sources) {
  const Called *In = Of.In;
  SourceLoop Loop = Of.Loop;
  uint64_t Count = Of.Count;
  while (true) {
    const Piece *Most = nullptr;
    Pieces All = piecesOf(*In, Loop, nullptr, nullptr, Sources);
    size_t Matter = 0;
    for (const Piece &Each : All) {
      Matter += isPartOf(PartOfLoop, Each.Count, Count) ? 1 : 0;
      if (Most == nullptr || Each.Count > Most->Count)
        Most = &Each;
    }
    if (Matter >= 2)
      return In == Of.In || In->Of.IsSystem ? nullptr : In;
    if (Most == nullptr || Most->IsOwn || Most->Calls.size() != 1 ||
        !isPartOf(MostOfCalls, Most->Count, Count))
      return nullptr;
    In = Most->Calls.front();
    Loop = {};
    Count = In->Count;
  }
}

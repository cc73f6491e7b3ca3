// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Down the calls; at each function, the loops around its calls and around its
// own code.

#include "Analysis/Samples/LoopTree.h"

#include "Support/Order.h"

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
bool isSame(const LoopNode &Of, const Called &In, const SourceLoop &Loop) {
  return Of.In != nullptr && Of.In->Of.File == In.Of.File &&
         Of.Loop.First == Loop.First && Of.Loop.Last == Loop.Last;
}

class LoopTreeBuilder {
public:
  LoopTreeBuilder(SourceFiles &Sources, uint64_t Least)
      : Sources(Sources), Least(Least) {}

  // Adds the loops of IN, which OUTER reaches by VIA, and of what it calls.
  void add(const Called &In, LoopNode &Outer,
           const std::vector<const Called *> &Via) {
    for (const auto &[Line, Count] : In.OwnLines)
      around(In, {In.Of.File, Line, 0}, Outer, Via, Count);
    for (const auto &[Key, To] : In.Calls) {
      LoopNode &At = around(In, Key.first, Outer, Via, To->Count);
      if (To->Count < Least)
        continue;
      std::vector<const Called *> Next;
      if (&At == &Outer)
        Next = Via;
      Next.push_back(To.get());
      add(*To, At, Next);
    }
  }

  // The innermost loop of IN around AT; COUNT is added to all of them.
  LoopNode &around(const Called &In, const CallSite &At, LoopNode &Outer,
                   const std::vector<const Called *> &Via, uint64_t Count) {
    LoopNode *Result = &Outer;
    if (At.File != In.Of.LineFile)
      return *Result;
    for (const SourceLoop &Each : loopsOf(In, At.Line, Sources))
      if (!isOpen(Outer, In, Each)) {
        Result = &inner(*Result, In, Each, Result == &Outer, Via);
        Result->Count += Count;
      }
    return *Result;
  }

  void prune(LoopNode &Of) {
    std::erase_if(Of.Inner,
                  [&](const auto &Each) { return Each->Count < Least; });
    sortLargestFirst(Of.Inner, [](const auto &Each) { return Each->Count; });
    for (const std::unique_ptr<LoopNode> &Each : Of.Inner)
      prune(*Each);
  }

private:
  // Whether it is one of the loops around already: a function that calls
  // itself, or a parallel region's function.
  static bool isOpen(const LoopNode &Outer, const Called &In,
                     const SourceLoop &Loop) {
    for (const LoopNode *At = &Outer; At != nullptr; At = At->Outer)
      if (isSame(*At, In, Loop))
        return true;
    return false;
  }

  static LoopNode &inner(LoopNode &Outer, const Called &In,
                         const SourceLoop &Loop, bool IsFirst,
                         const std::vector<const Called *> &Via) {
    for (const std::unique_ptr<LoopNode> &Each : Outer.Inner)
      if (Each->In == &In && isSame(*Each, In, Loop))
        return *Each;
    Outer.Inner.push_back(std::make_unique<LoopNode>());
    LoopNode &Result = *Outer.Inner.back();
    Result.In = &In;
    Result.Loop = Loop;
    Result.Outer = &Outer;
    if (IsFirst)
      Result.Via = Via;
    return Result;
  }

  SourceFiles &Sources;
  uint64_t Least;
};
} // namespace

bool loopscope::isInside(const SourceLoop &Loop, uint32_t Line) {
  return Loop.First == 0 || (Loop.First <= Line && Line <= Loop.Last);
}

bool loopscope::isIn(const CallSite &At, const Called &In,
                     const SourceLoop &Loop) {
  return Loop.First == 0 ||
         (At.File == In.Of.LineFile && isInside(Loop, At.Line));
}

std::vector<SourceLoop> loopscope::loopsOf(const Called &In, uint32_t Line,
                                           SourceFiles &Sources) {
  std::vector<SourceLoop> Result;
  if (In.Of.IsSystem || In.Of.Function.empty())
    return Result;
  Result = Sources.around(In.Of.LineFile, Line);
  if (In.Of.File == In.Of.LineFile)
    std::erase_if(Result, [&](const SourceLoop &Each) {
      return Each.First < In.Of.FirstLine;
    });
  return Result;
}

std::unique_ptr<LoopNode>
loopscope::loopTree(const Called &Root, SourceFiles &Sources, uint64_t Least) {
  auto Result = std::make_unique<LoopNode>();
  Result->Count = Root.Count;
  LoopTreeBuilder Of(Sources, Least);
  Of.add(Root, *Result, {});
  Of.prune(*Result);
  return Result;
}

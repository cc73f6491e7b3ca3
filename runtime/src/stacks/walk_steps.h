// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a walk up a stack (walk.h), through any memory that has the
// stack and the code: the process's own, or copies of another process's. All
// addresses are those of the process whose stack it is.
//
// A step leads up the stack, unless a signal's frame says otherwise.

#ifndef LOOPSCOPE_STACKS_WALK_STEPS_H
#define LOOPSCOPE_STACKS_WALK_STEPS_H

#include "frame_rules.h"
#include "walk.h"

#include "interrupted.h"

#include <stdint.h>

namespace loopscope::runtime {

/// A walk through MEMORY, which has these functions; what can't be read is
/// false.
///
///   bool readWord(uintptr_t From, uintptr_t &Into)      of the stack; aligned
///   bool readContext(uintptr_t From, Interrupted &Into) a signal's, on the
///                                                       stack
///   bool endsEarly()     the stack has more than was copied, and readWord()
///                        was asked for it
///   bool isLast(const Interrupted &At)   no code with rules called what runs
///                                        there, which has none
///   FrameRule ruleAt(uintptr_t Code)
///   bool isAfterCall(uintptr_t Code)   execution may return there
///   bool endsHandler(uintptr_t Code)   signals' handlers return there
template <typename Memory> class StackWalk {
public:
  explicit StackWalk(Memory &In) : In(In) {}

  /// Walks from AT, the innermost frame's registers.
  void run(const Interrupted &At, WalkedStack &Into) {
    Place Now{At, true};
    leaveHandlers(Now.At);
    add(Now.At.Instruction, Into);
    bool MaySearch = HasFrameTables;
    for (uint32_t I = 0; I < MostSteps; ++I) {
      Step Next = HasFrameTables ? stepByTable(Now) : stepByFramePointer(Now);
      if (Next == Step::Ended) {
        Into.IsWhole = true;
        return;
      }
      if (Next != Step::Went && In.endsEarly()) {
        Into.IsCut = true;
        return;
      }
      if (Next != Step::Went && !stepWithoutRule(Now, MaySearch, Into))
        return;
      // Readers take a caller's address back by one, to be in the call.
      add(Now.At.Instruction + (Now.IsExact ? 1 : 0), Into);
    }
    Into.IsCut = true;
  }

private:
  static constexpr uintptr_t Word = sizeof(uintptr_t);
  // Anything further away isn't a frame pointer, nor a function's frame.
  static constexpr uintptr_t MostStack = 8U << 20;
  static constexpr uint32_t MostSteps = 4096;

  // Where the walk is.
  struct Place {
    Interrupted At;
    bool IsExact; // interrupted there; otherwise a call is before it

    // An address in the instruction that is being executed.
    uintptr_t code() const { return At.Instruction - (IsExact ? 0 : 1); }
  };

  enum class Step {
    Went,
    Ended,    // nobody called this function
    NoRule,   // the code has none
    Nonsense, // the rule doesn't fit the stack
  };

  bool readStack(uintptr_t From, uintptr_t &Into) {
    return From % Word == 0 && In.readWord(From, Into);
  }

  // Sets the caller's stack pointer.
  bool findCallerStack(const FrameRule &Rule, const Interrupted &At,
                       uintptr_t &Into) {
    auto Distance =
        static_cast<uintptr_t>(static_cast<intptr_t>(Rule.Distance));
    switch (Rule.Stack) {
    case CallerStack::AboveStack:
      Into = At.Stack + Distance;
      return true;
    case CallerStack::AboveFrame:
      Into = At.Frame + Distance;
      return true;
    case CallerStack::InFrame:
      return readStack(At.Frame + Distance, Into);
    case CallerStack::InLinkTable: {
      constexpr uintptr_t StubBytes = 16;
      bool HasPushed = At.Instruction % StubBytes >= Distance;
      Into = At.Stack + Word + (HasPushed ? Word : 0);
      return true;
    }
    default:
      return false;
    }
  }

  Step stepByTable(Place &From) {
    Interrupted &At = From.At;
    FrameRule Rule = In.ruleAt(From.code());
    if (Rule.Stack == CallerStack::Unknown)
      return In.isLast(At) ? Step::Ended : Step::NoRule;
    if (Rule.Stack == CallerStack::Outermost)
      return Step::Ended;
    if (Rule.Stack == CallerStack::OfSignal) {
      if (!In.readContext(At.Stack, At))
        return Step::Nonsense;
      From.IsExact = true;
      return Step::Went;
    }
    uintptr_t Caller = 0;
    uintptr_t Return = 0;
    uintptr_t Frame = At.Frame;
    if (!findCallerStack(Rule, At, Caller) || Caller <= At.Stack ||
        Caller - At.Stack > MostStack || !readStack(Caller - Word, Return))
      return Step::Nonsense;
    auto Distance =
        static_cast<uintptr_t>(static_cast<intptr_t>(Rule.FrameDistance));
    if (Rule.Frame != CallerFrame::Unchanged &&
        !readStack((Rule.Frame == CallerFrame::AtFrame ? At.Frame : Caller) +
                       Distance,
                   Frame))
      return Step::Nonsense;
    if (Return == 0)
      return Step::Ended;
    From = {{Return, Caller, Frame}, false};
    return Step::Went;
  }

  Step stepByFramePointer(Place &From) {
    const Interrupted At = From.At;
    uintptr_t Return = 0;
    uintptr_t Frame = 0;
    // Where there are no tables, the chain's end is the thread's start.
    if (!HasFrameTables && At.Frame == 0)
      return Step::Ended;
    if (At.Frame < At.Stack || At.Frame - At.Stack > MostStack ||
        !readStack(At.Frame, Frame) || !readStack(At.Frame + Word, Return))
      return Step::Nonsense;
    Return = plainAddress(Return);
    if (!In.isAfterCall(Return))
      return Step::Nonsense;
    From = {{Return, At.Frame + 2 * Word, Frame}, false};
    return Step::Went;
  }

  // Whether tables alone lead from a place to the thread's start. Each step
  // takes one of STEPS_LEFT.
  bool leadsToStart(Place From, uint32_t &StepsLeft) {
    for (; StepsLeft != 0; --StepsLeft)
      if (Step Next = stepByTable(From); Next != Step::Went)
        return Next == Step::Ended;
    return false;
  }

  // Moves FROM, in code without a rule, to its likely caller.
  bool searchCaller(Place &From) {
    constexpr uintptr_t MostWords = 4096;
    constexpr uint32_t MostCandidates = 16;
    uint32_t StepsLeft = MostSteps; // of all candidates together
    uint32_t Candidates = 0;
    uintptr_t At = From.At.Stack;
    for (uintptr_t I = 0; I < MostWords && Candidates < MostCandidates;
         ++I, At += Word) {
      uintptr_t Return = 0;
      if (!readStack(At, Return))
        return false;
      if (!In.isAfterCall(Return))
        continue;
      ++Candidates;
      Place Next = {{Return, At + Word, From.At.Frame}, false};
      if (!leadsToStart(Next, StepsLeft))
        continue;
      From = Next;
      return true;
    }
    return false;
  }

  // Goes to the caller of code without a rule. The search passes over functions
  // that have none, and a frame pointer may be the caller's: the nearer of the
  // two results is right more often. False: neither finds one.
  bool stepWithoutRule(Place &From, bool &MaySearch, WalkedStack &Into) {
    Place Found = From;
    Place Linked = From;
    bool HasLink = stepByFramePointer(Linked) == Step::Went;
    // Once is enough: the search only ends where the rules lead to the start.
    bool HasFound = MaySearch && searchCaller(Found);
    MaySearch = false;
    if (!HasFound && !HasLink)
      return false;
    bool IsSearched =
        HasFound && (!HasLink || Found.At.Stack <= Linked.At.Stack);
    Into.IsGuessed |= IsSearched;
    From = IsSearched ? Found : Linked;
    return true;
  }

  // Whether the word at the stack pointer can be the return address. Otherwise
  // it may be what an earlier handler left there.
  bool isAtStart(const Interrupted &At) {
    FrameRule Rule = HasFrameTables ? In.ruleAt(At.Instruction) : FrameRule();
    return Rule.Stack == CallerStack::Unknown ||
           (Rule.Stack == CallerStack::AboveStack && Rule.Distance == Word);
  }

  // If the thread is at the start of a handler, because its signal (another
  // profiler's) came at the same moment: moves AT to what that interrupts.
  void leaveHandlers(Interrupted &At) {
    constexpr int MostSignals = 4; // at one moment
    for (int I = 0; I < MostSignals; ++I) {
      uintptr_t Return = 0;
      if (!readStack(At.Stack, Return) || !In.endsHandler(Return) ||
          !isAtStart(At) || !In.readContext(At.Stack + HandlerReturnBytes, At))
        return;
    }
  }

  // Whether the last frames are the same PERIOD frames three times and once
  // more.
  static bool repeats(const WalkedStack &Of, uint32_t Period) {
    constexpr uint32_t Kept = 3;
    if (Of.Depth < Period * (Kept + 1))
      return false;
    const uint64_t *End = Of.Frames + Of.Depth;
    for (uint32_t I = 1; I <= Period * Kept; ++I)
      if (*(End - I) != *(End - I - Period))
        return false;
    return true;
  }

  static void add(uintptr_t Address, WalkedStack &To) {
    // What is left out of a stack that is too deep lies between its innermost
    // and its outermost calls.
    constexpr uint32_t Innermost = 64;
    constexpr uint32_t Dropped = 32;
    if (To.Depth == WalkedStack::Most) {
      for (uint32_t I = Innermost; I + Dropped < To.Depth; ++I)
        To.Frames[I] = To.Frames[I + Dropped];
      To.Depth -= Dropped;
      To.IsCut = true;
    }
    To.Frames[To.Depth++] = Address;
    constexpr uint32_t LongestPeriod = 4;
    for (uint32_t Period = 1; Period <= LongestPeriod; ++Period)
      if (repeats(To, Period)) {
        To.Depth -= Period;
        return;
      }
  }

  Memory &In;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_WALK_STEPS_H

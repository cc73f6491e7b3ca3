// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every page is checked before it is read. A step leads up the stack, unless a
// signal's frame says otherwise.

#include "walk.h"

#include "code.h"
#include "frame_rules.h"
#include "readable.h"

#include "interrupted.h"

using namespace loopscope::runtime;

namespace {
constexpr uintptr_t Word = sizeof(uintptr_t);
// Anything further away isn't a frame pointer, nor a function's frame.
constexpr uintptr_t MostStack = 8U << 20;
constexpr uint32_t MostSteps = 4096;

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

struct Memory {
  Readable Stack;
  Readable Code; // and its tables
};

// Whether execution may return to RETURN.
bool isAfterCall(uintptr_t Return, Memory &In) {
  return isCode(Return - LongestCall, Return - 1) &&
         In.Code.has(Return - LongestCall, LongestCall) && followsCall(Return);
}

bool readStack(uintptr_t From, uintptr_t &Into, Memory &In) {
  if (From % Word != 0 || !In.Stack.has(From, Word))
    return false;
  Into = readWord(From);
  return true;
}

// Sets the caller's stack pointer.
bool findCallerStack(const FrameRule &Rule, const Interrupted &At,
                     uintptr_t &Into, Memory &In) {
  auto Distance = static_cast<uintptr_t>(static_cast<intptr_t>(Rule.Distance));
  switch (Rule.Stack) {
  case CallerStack::AboveStack:
    Into = At.Stack + Distance;
    return true;
  case CallerStack::AboveFrame:
    Into = At.Frame + Distance;
    return true;
  case CallerStack::InFrame:
    return readStack(At.Frame + Distance, Into, In);
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

Step stepByTable(Place &From, Memory &In) {
  Interrupted &At = From.At;
  FrameRule Rule = frameRule(From.code(), In.Code);
  if (Rule.Stack == CallerStack::Unknown)
    return Step::NoRule;
  if (Rule.Stack == CallerStack::Outermost)
    return Step::Ended;
  if (Rule.Stack == CallerStack::OfSignal) {
    if (!In.Stack.has(At.Stack, sizeof(ucontext_t)) ||
        !readInterrupted(reinterpret_cast<const void *>(At.Stack), At))
      return Step::Nonsense;
    From.IsExact = true;
    return Step::Went;
  }
  uintptr_t Caller = 0;
  uintptr_t Return = 0;
  uintptr_t Frame = At.Frame;
  if (!findCallerStack(Rule, At, Caller, In) || Caller <= At.Stack ||
      Caller - At.Stack > MostStack || !readStack(Caller - Word, Return, In))
    return Step::Nonsense;
  auto Distance =
      static_cast<uintptr_t>(static_cast<intptr_t>(Rule.FrameDistance));
  if (Rule.Frame != CallerFrame::Unchanged &&
      !readStack((Rule.Frame == CallerFrame::AtFrame ? At.Frame : Caller) +
                     Distance,
                 Frame, In))
    return Step::Nonsense;
  if (Return == 0)
    return Step::Ended;
  From = {{Return, Caller, Frame}, false};
  return Step::Went;
}

Step stepByFramePointer(Place &From, Memory &In) {
  const Interrupted At = From.At;
  uintptr_t Return = 0;
  uintptr_t Frame = 0;
  // Where there are no tables, the chain's end is the thread's start.
  if (!HasFrameTables && At.Frame == 0)
    return Step::Ended;
  if (At.Frame < At.Stack || At.Frame - At.Stack > MostStack ||
      !readStack(At.Frame, Frame, In) ||
      !readStack(At.Frame + Word, Return, In))
    return Step::Nonsense;
  Return = plainAddress(Return);
  if (!isAfterCall(Return, In))
    return Step::Nonsense;
  From = {{Return, At.Frame + 2 * Word, Frame}, false};
  return Step::Went;
}

// Whether tables alone lead from a place to the thread's start. Each step takes
// one of STEPS_LEFT.
bool leadsToStart(Place From, uint32_t &StepsLeft, Memory &In) {
  for (; StepsLeft != 0; --StepsLeft)
    if (Step Next = stepByTable(From, In); Next != Step::Went)
      return Next == Step::Ended;
  return false;
}

// Moves FROM, in code without a rule, to its likely caller.
bool searchCaller(Place &From, Memory &In) {
  constexpr uintptr_t MostWords = 4096;
  constexpr uint32_t MostCandidates = 16;
  uint32_t StepsLeft = MostSteps; // of all candidates together
  uint32_t Candidates = 0;
  uintptr_t At = From.At.Stack;
  for (uintptr_t I = 0; I < MostWords && Candidates < MostCandidates;
       ++I, At += Word) {
    uintptr_t Return = 0;
    if (!readStack(At, Return, In))
      return false;
    if (!isAfterCall(Return, In))
      continue;
    ++Candidates;
    Place Next = {{Return, At + Word, From.At.Frame}, false};
    if (!leadsToStart(Next, StepsLeft, In))
      continue;
    From = Next;
    return true;
  }
  return false;
}

// Goes to the caller of code without a rule. The search passes over functions
// that have none, and a frame pointer may be the caller's: the nearer of the
// two results is right more often. False: neither finds one.
bool stepWithoutRule(Place &From, bool &MaySearch, WalkedStack &Into,
                     Memory &In) {
  Place Found = From;
  Place Linked = From;
  bool HasLink = stepByFramePointer(Linked, In) == Step::Went;
  // Once is enough: the search only ends where the rules lead to the start.
  bool HasFound = MaySearch && searchCaller(Found, In);
  MaySearch = false;
  if (!HasFound && !HasLink)
    return false;
  bool IsSearched = HasFound && (!HasLink || Found.At.Stack <= Linked.At.Stack);
  Into.IsGuessed |= IsSearched;
  From = IsSearched ? Found : Linked;
  return true;
}

// Whether the word at the stack pointer can be the return address. Otherwise it
// may be what an earlier handler left there.
bool isAtStart(const Interrupted &At, Memory &In) {
  FrameRule Rule =
      HasFrameTables ? frameRule(At.Instruction, In.Code) : FrameRule();
  return Rule.Stack == CallerStack::Unknown ||
         (Rule.Stack == CallerStack::AboveStack && Rule.Distance == Word);
}

// If the thread is at the start of a handler, because its signal (another
// profiler's) came at the same moment: moves AT to what that interrupts.
void leaveHandlers(Interrupted &At, Memory &In) {
  constexpr int MostSignals = 4; // at one moment
  for (int I = 0; I < MostSignals; ++I) {
    if (!In.Stack.has(At.Stack, HandlerReturnBytes + sizeof(ucontext_t)))
      return;
    uintptr_t Return = readWord(At.Stack);
    if (!isCode(Return, Return) || !In.Code.has(Return, HandlerEndBytes) ||
        !endsHandler(Return) || !isAtStart(At, In) ||
        !readInterrupted(
            reinterpret_cast<const void *>(At.Stack + HandlerReturnBytes), At))
      return;
  }
}

// Whether the last frames are the same PERIOD frames three times and once more.
bool repeats(const WalkedStack &Of, uint32_t Period) {
  constexpr uint32_t Kept = 3;
  if (Of.Depth < Period * (Kept + 1))
    return false;
  const uint64_t *End = Of.Frames + Of.Depth;
  for (uint32_t I = 1; I <= Period * Kept; ++I)
    if (*(End - I) != *(End - I - Period))
      return false;
  return true;
}

void add(uintptr_t Address, WalkedStack &To) {
  // What is left out of a stack that is too deep lies between its innermost and
  // its outermost calls.
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
} // namespace

void loopscope::runtime::walkStack(const void *Context, WalkedStack &Into) {
  Place Now{};
  Now.IsExact = true;
  if (!readInterrupted(Context, Now.At))
    return;
  Memory In;
  leaveHandlers(Now.At, In);
  add(Now.At.Instruction, Into);
  bool MaySearch = HasFrameTables;
  for (uint32_t I = 0; I < MostSteps; ++I) {
    Step Next =
        HasFrameTables ? stepByTable(Now, In) : stepByFramePointer(Now, In);
    if (Next == Step::Ended) {
      Into.IsWhole = true;
      return;
    }
    if (Next != Step::Went && !stepWithoutRule(Now, MaySearch, Into, In))
      return;
    // Readers take a caller's address back by one, to be in the call.
    add(Now.At.Instruction + (Now.IsExact ? 1 : 0), Into);
  }
  Into.IsCut = true;
}

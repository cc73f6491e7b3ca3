// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interprets .eh_frame as far as frame_rules.h promises, without a lock, memory
// or libc.

#include "frame_rules.h"

#include "code.h"

#include "interrupted.h"

using namespace loopscope::runtime;

namespace {
// A piece of a table, read from front to back. After a read beyond its end or
// of unreadable memory all is zero, and isBad.
class Bytes {
public:
  Bytes(uintptr_t From, uintptr_t End, Readable &Memory)
      : At(From), End(End), Memory(Memory) {}

  template <typename T> __attribute__((no_sanitize("address"))) T take() {
    if (End - At < sizeof(T) || End < At || !Memory.has(At, sizeof(T))) {
      isBad = true;
      At = End;
      return 0;
    }
    T Result;
    __builtin_memcpy(&Result, reinterpret_cast<const void *>(At), sizeof(T));
    At += sizeof(T);
    return Result;
  }
  uint64_t takeUnsigned() {
    uint64_t Result = 0;
    for (unsigned Shift = 0; Shift < MostBits; Shift += 7) {
      auto Next = take<uint8_t>();
      if (Shift < 64)
        Result |= uint64_t(Next & 0x7f) << Shift;
      if ((Next & 0x80) == 0)
        return Result;
    }
    isBad = true;
    return 0;
  }
  int64_t takeSigned() {
    uint64_t Result = 0;
    for (unsigned Shift = 0; Shift < MostBits;) {
      auto Next = take<uint8_t>();
      if (Shift < 64)
        Result |= uint64_t(Next & 0x7f) << Shift;
      Shift += 7;
      if ((Next & 0x80) != 0)
        continue;
      if (Shift < 64 && (Next & 0x40) != 0)
        Result |= ~uint64_t(0) << Shift;
      return static_cast<int64_t>(Result);
    }
    isBad = true;
    return 0;
  }
  void skip(uint64_t Count) {
    if (Count > End - At)
      isBad = true;
    At = Count > End - At ? End : At + Count;
  }
  bool isEmpty() const { return At >= End; }

  uintptr_t At;
  uintptr_t End;
  bool isBad = false;

private:
  // Of ten bytes, the longest number.
  static constexpr unsigned MostBits = 70;
  Readable &Memory;
};

// An entry of the table that says more is damaged: interpreting it would take
// long.
constexpr uint32_t Longest = 1U << 18;

// Encodings of pointers (DW_EH_PE_*).
constexpr uint8_t Omitted = 0xff, FormatMask = 0x0f;
constexpr uint8_t TableOfInt32 = 0x3b, UnsignedInt32 = 3;

unsigned encodedBytes(uint8_t Encoding) {
  switch (Encoding & 7) {
  case 0:
  case 4:
    return 8;
  case 2:
    return 2;
  case 3:
    return 4;
  default:
    return 0; // of variable length: not used for code
  }
}

uint64_t takeEncodedSize(Bytes &From, uint8_t Encoding) {
  switch (encodedBytes(Encoding)) {
  case 8:
    return From.take<uint64_t>();
  case 4:
    return From.take<uint32_t>();
  case 2:
    return From.take<uint16_t>();
  default:
    From.isBad = true;
    return 0;
  }
}

// What a common entry (CIE) says about its functions.
struct Common {
  uint64_t CodeUnit = 1;
  int64_t DataUnit = 1;
  uint8_t Pointers = 0; // their encoding
  bool HasAugmentation = false;
  bool IsSignal = false;
  uintptr_t First = 0, End = 0; // instructions
};

bool readCommon(uintptr_t At, Readable &Memory, Common &Into) {
  Bytes Head(At, At + 8, Memory);
  auto Length = Head.take<uint32_t>();
  auto Id = Head.take<uint32_t>();
  if (Head.isBad || Id != 0 || Length >= Longest)
    return false;
  Bytes From(Head.At, At + 4 + Length, Memory);
  auto Version = From.take<uint8_t>();
  char Letters[8] = {};
  for (char &Each : Letters) {
    Each = static_cast<char>(From.take<uint8_t>());
    if (Each == 0)
      break;
  }
  if (Letters[7] != 0 || (Version != 1 && Version != 3))
    return false;
  Into.CodeUnit = From.takeUnsigned();
  Into.DataUnit = From.takeSigned();
  uint64_t Return = Version == 1 ? From.take<uint8_t>() : From.takeUnsigned();
  if (Return != FrameRegisters::Return)
    return false;
  Into.End = From.End;
  Into.HasAugmentation = Letters[0] == 'z';
  if (!Into.HasAugmentation) {
    Into.First = From.At;
    return !From.isBad && Letters[0] == 0;
  }
  uint64_t Size = From.takeUnsigned();
  Into.First = From.At + Size;
  for (const char *Each = Letters + 1; *Each != 0; ++Each)
    switch (*Each) {
    case 'R':
      Into.Pointers = From.take<uint8_t>();
      break;
    case 'L':
      From.take<uint8_t>();
      break;
    case 'P':
      From.skip(encodedBytes(From.take<uint8_t>()));
      break;
    case 'S':
      Into.IsSignal = true;
      break;
    default:
      return false;
    }
  return !From.isBad && Into.First <= Into.End;
}

// A row of the table that the instructions describe.
struct Row {
  FrameRule Rule;
  uint64_t Register = FrameRegisters::Stack; // the CFA is relative to it
  bool IsExpression = false;                 // the CFA is one
  bool IsStrange = false; // something that the rule can't say
  bool IsOutermost = false;
};

class Interpreter {
public:
  Interpreter(const Common &C, Readable &Memory) : C(C), Memory(Memory) {}

  // Runs instructions up to the row for code at DISTANCE from the function's
  // start; false if they are damaged.
  bool run(uintptr_t First, uintptr_t End, uint64_t Distance) {
    Bytes From(First, End, Memory);
    while (!From.isEmpty() && !From.isBad) {
      if (!step(From))
        return false;
      if (Location > Distance) {
        Now = Last;
        break;
      }
    }
    return !From.isBad;
  }
  void endOfCommon() { Initial = Now; }

  Row Now;

private:
  bool step(Bytes &From);
  bool extended(uint8_t Operation, Bytes &From);
  void advance(uint64_t By) {
    Last = Now;
    Location += By * C.CodeUnit;
  }
  void saved(uint64_t Register, int64_t Offset);
  void unchanged(uint64_t Register, bool Restore);
  void place(uint64_t Register, int64_t Offset) {
    Now.Register = Register;
    Now.IsExpression = false;
    distance(Offset);
  }
  // In units of the entry; what doesn't fit is damaged.
  int64_t scaled(uint64_t Units) const {
    return static_cast<int64_t>(Units * static_cast<uint64_t>(C.DataUnit));
  }
  void distance(int64_t Offset) {
    Now.Rule.Distance = static_cast<int32_t>(Offset);
    if (Offset != Now.Rule.Distance)
      Now.IsStrange = true;
  }
  void callerByExpression(Bytes From);
  void savedByExpression(uint64_t Register, Bytes From);

  static constexpr int MostRemembered = 8;
  const Common &C;
  Readable &Memory;
  Row Initial, Last;
  Row Remembered[MostRemembered];
  int RememberedCount = 0;
  uint64_t Location = 0;
};

void Interpreter::saved(uint64_t Register, int64_t Offset) {
  constexpr auto Word = static_cast<int64_t>(sizeof(uintptr_t));
  if (Register == FrameRegisters::Return && Offset != -Word)
    Now.IsStrange = true;
  if (Register != FrameRegisters::Frame)
    return;
  Now.Rule.Frame = CallerFrame::BelowCaller;
  Now.Rule.FrameDistance = static_cast<int16_t>(Offset);
  if (Offset != Now.Rule.FrameDistance)
    Now.IsStrange = true;
}

// The register has its caller's value, or (RESTORE) the rule of the common
// entry.
void Interpreter::unchanged(uint64_t Register, bool Restore) {
  const Row From = Restore ? Initial : Row();
  if (Register == FrameRegisters::Frame) {
    Now.Rule.Frame = From.Rule.Frame;
    Now.Rule.FrameDistance = From.Rule.FrameDistance;
  } else if (Register == FrameRegisters::Return) {
    Now.IsOutermost = From.IsOutermost;
  }
}

// Operations of expressions: the value of a register + a number, a word there.
constexpr uint8_t RegisterPlus = 0x70, WordThere = 0x06, FewRegisters = 32;

void Interpreter::callerByExpression(Bytes From) {
  auto First = From.take<uint8_t>();
  int64_t Offset = From.takeSigned();
  auto Next = From.take<uint8_t>();
  Now.IsExpression = true;
  Now.Rule.Stack = CallerStack::Unknown;
  if (First == RegisterPlus + FrameRegisters::Frame && Next == WordThere &&
      From.isEmpty() && !From.isBad) {
    Now.Rule.Stack = CallerStack::InFrame;
    distance(Offset);
    return;
  }
  // The linker's own, for stubs of 16 bytes: rsp + 8 + (rip % 16 >= N) * 8.
  constexpr uint8_t Literal = 0x30;
  const uint8_t Wanted[] = {Literal + 15, 0x1a, 0,   0x2a,
                            Literal + 3,  0x24, 0x22};
  bool IsStub = First == RegisterPlus + FrameRegisters::Stack && Offset == 8 &&
                Next == RegisterPlus + FrameRegisters::Return &&
                From.takeSigned() == 0;
  uint8_t Pushed = 0;
  for (uint8_t Each : Wanted) {
    auto Found = From.take<uint8_t>();
    if (Each == 0)
      Pushed = Found - Literal;
    else if (Found != Each)
      IsStub = false;
  }
  if (IsStub && !From.isBad && Pushed < 16) {
    Now.Rule.Stack = CallerStack::InLinkTable;
    Now.Rule.Distance = Pushed;
  }
}

void Interpreter::savedByExpression(uint64_t Register, Bytes From) {
  auto First = From.take<uint8_t>();
  int64_t Offset = From.takeSigned();
  if (Register == FrameRegisters::Return)
    Now.IsStrange = true;
  if (Register != FrameRegisters::Frame)
    return;
  Now.Rule.Frame = CallerFrame::AtFrame;
  Now.Rule.FrameDistance = static_cast<int16_t>(Offset);
  if (First != RegisterPlus + FrameRegisters::Frame || !From.isEmpty() ||
      From.isBad || Offset != Now.Rule.FrameDistance)
    Now.IsStrange = true;
}

bool Interpreter::step(Bytes &From) {
  auto Operation = From.take<uint8_t>();
  constexpr uint8_t Low = 0x3f;
  uint64_t Small = Operation & Low;
  switch (Operation & ~Low) {
  case 0x40: // advance_loc
    advance(Small);
    return true;
  case 0x80: // offset
    saved(Small, scaled(From.takeUnsigned()));
    return true;
  case 0xc0: // restore
    unchanged(Small, true);
    return true;
  default:
    return extended(Operation, From);
  }
}

// The operations of DWARF 5, section 6.4.2, by their numbers.
bool Interpreter::extended(uint8_t Operation, Bytes &From) {
  uint64_t Register = 0;
  switch (Operation) {
  case 0x00: // nop
    return true;
  case 0x02: // advance_loc1
    advance(From.take<uint8_t>());
    return true;
  case 0x03: // advance_loc2
    advance(From.take<uint16_t>());
    return true;
  case 0x04: // advance_loc4
    advance(From.take<uint32_t>());
    return true;
  case 0x05: // offset_extended
    Register = From.takeUnsigned();
    saved(Register, scaled(From.takeUnsigned()));
    return true;
  case 0x06: // restore_extended
    unchanged(From.takeUnsigned(), true);
    return true;
  case 0x07: // undefined
    Register = From.takeUnsigned();
    Now.IsOutermost |= Register == FrameRegisters::Return;
    return true;
  case 0x08: // same_value
    unchanged(From.takeUnsigned(), false);
    return true;
  case 0x09: // register
    Register = From.takeUnsigned();
    From.takeUnsigned();
    Now.IsStrange |=
        Register == FrameRegisters::Frame || Register == FrameRegisters::Return;
    return true;
  case 0x0a: // remember_state
    if (RememberedCount == MostRemembered)
      return false;
    Remembered[RememberedCount++] = Now;
    return true;
  case 0x0b: // restore_state
    if (RememberedCount == 0)
      return false;
    Now = Remembered[--RememberedCount];
    return true;
  case 0x0c: // def_cfa
    Register = From.takeUnsigned();
    place(Register, static_cast<int64_t>(From.takeUnsigned()));
    return true;
  case 0x0d: // def_cfa_register
    Now.Register = From.takeUnsigned();
    Now.IsExpression = false;
    return true;
  case 0x0e: // def_cfa_offset
    distance(static_cast<int64_t>(From.takeUnsigned()));
    return true;
  case 0x0f: { // def_cfa_expression
    uint64_t Size = From.takeUnsigned();
    Bytes Of = From;
    From.skip(Size);
    Of.End = From.At;
    callerByExpression(Of);
    return true;
  }
  case 0x10: { // expression
    Register = From.takeUnsigned();
    uint64_t Size = From.takeUnsigned();
    Bytes Of = From;
    From.skip(Size);
    Of.End = From.At;
    savedByExpression(Register, Of);
    return true;
  }
  case 0x11: // offset_extended_sf
    Register = From.takeUnsigned();
    saved(Register, scaled(static_cast<uint64_t>(From.takeSigned())));
    return true;
  case 0x12: // def_cfa_sf
    Register = From.takeUnsigned();
    place(Register, scaled(static_cast<uint64_t>(From.takeSigned())));
    return true;
  case 0x13: // def_cfa_offset_sf
    distance(scaled(static_cast<uint64_t>(From.takeSigned())));
    return true;
  case 0x14: // val_offset
  case 0x15: // val_offset_sf
    Register = From.takeUnsigned();
    From.takeUnsigned();
    Now.IsStrange |=
        Register == FrameRegisters::Frame || Register == FrameRegisters::Return;
    return true;
  case 0x16: // val_expression
    Register = From.takeUnsigned();
    From.skip(From.takeUnsigned());
    Now.IsStrange |=
        Register == FrameRegisters::Frame || Register == FrameRegisters::Return;
    return true;
  case 0x2e: // GNU_args_size
    From.takeUnsigned();
    return true;
  default:
    return false;
  }
}

FrameRule ruleOf(const Row &Of, bool IsSignal) {
  FrameRule Result = Of.Rule;
  if (IsSignal) {
    Result.Stack = CallerStack::OfSignal;
    return Result;
  }
  if (Of.IsOutermost) {
    Result.Stack = CallerStack::Outermost;
    return Result;
  }
  if (!Of.IsExpression)
    Result.Stack =
        Of.Register == FrameRegisters::Stack   ? CallerStack::AboveStack
        : Of.Register == FrameRegisters::Frame ? CallerStack::AboveFrame
                                               : CallerStack::Unknown;
  return Of.IsStrange ? FrameRule() : Result;
}

// The entry (FDE) that may have ADDRESS, by the sorted table; 0 if there is
// none. Distance: of ADDRESS from the function's start.
uintptr_t findEntry(uintptr_t Header, uintptr_t Address, Readable &Memory,
                    uint64_t &Distance) {
  constexpr uintptr_t HeadBytes = 12;
  Bytes Head(Header, Header + HeadBytes, Memory);
  bool IsKnown = Head.take<uint8_t>() == 1;
  IsKnown &= Head.take<uint8_t>() != Omitted;
  IsKnown &= Head.take<uint8_t>() == UnsignedInt32;
  IsKnown &= Head.take<uint8_t>() == TableOfInt32;
  Head.take<uint32_t>();
  auto Count = Head.take<uint32_t>();
  if (!IsKnown || Head.isBad || Count == 0)
    return 0;
  struct Pair {
    int32_t Start, Entry;
  };
  auto PairAt = [&](uint32_t I) {
    uintptr_t At = Header + HeadBytes + I * sizeof(Pair);
    Bytes From(At, At + sizeof(Pair), Memory);
    Pair Result{};
    Result.Start = From.take<int32_t>();
    Result.Entry = From.take<int32_t>();
    return Result;
  };
  auto Wanted = static_cast<int64_t>(Address - Header);
  uint32_t Low = 0;
  for (uint32_t High = Count; High - Low > 1;) {
    uint32_t Middle = Low + (High - Low) / 2;
    (PairAt(Middle).Start <= Wanted ? Low : High) = Middle;
  }
  Pair Found = PairAt(Low);
  if (Found.Start > Wanted || Found.Entry == 0)
    return 0;
  Distance = static_cast<uint64_t>(Wanted - Found.Start);
  return Header + static_cast<uintptr_t>(static_cast<intptr_t>(Found.Entry));
}

// Rules by address. A slot is two words, written without a lock: the key is
// mixed with the rule, so that words of two writers don't match.
struct Known {
  uint64_t Key;
  uint64_t Rule;
};
constexpr uintptr_t Slots = 4096;
Known Cache[Slots];

uint64_t keyOf(uintptr_t Address, uint64_t Rule) {
  // Other code may be at the address once an object has been unloaded.
  constexpr uint64_t Odd = 0x9e3779b97f4a7c15U;
  return Address ^ Rule ^ (uint64_t(codeLoading()) + 1) * Odd;
}
} // namespace

FrameRule loopscope::runtime::readFrameRule(uintptr_t Header, uintptr_t Address,
                                            Readable &Tables) {
  uint64_t Distance = 0;
  uintptr_t At = findEntry(Header, Address, Tables, Distance);
  if (At == 0)
    return {};
  Bytes Head(At, At + 8, Tables);
  auto Length = Head.take<uint32_t>();
  uintptr_t Self = Head.At;
  auto ToCommon = Head.take<uint32_t>();
  Common C;
  if (Head.isBad || Length == 0 || Length >= Longest || ToCommon == 0 ||
      !readCommon(Self - ToCommon, Tables, C))
    return {};
  Bytes From(Head.At, Self + Length, Tables);
  From.skip(encodedBytes(C.Pointers));
  uint64_t Size = takeEncodedSize(From, C.Pointers & FormatMask);
  if (C.HasAugmentation)
    From.skip(From.takeUnsigned());
  if (From.isBad || Distance >= Size)
    return {};
  Interpreter Run(C, Tables);
  if (!Run.run(C.First, C.End, UINT64_MAX))
    return {};
  Run.endOfCommon();
  if (!Run.run(From.At, From.End, Distance))
    return {};
  return ruleOf(Run.Now, C.IsSignal);
}

FrameRule loopscope::runtime::frameRule(uintptr_t Address, Readable &Tables) {
  Known &Slot = Cache[(Address ^ Address >> 12) % Slots];
  uint64_t Rule = __atomic_load_n(&Slot.Rule, __ATOMIC_RELAXED);
  FrameRule Result;
  if (__atomic_load_n(&Slot.Key, __ATOMIC_RELAXED) == keyOf(Address, Rule)) {
    __builtin_memcpy(static_cast<void *>(&Result), &Rule, sizeof(Rule));
    return Result;
  }
  uintptr_t Header = frameTable(Address);
  if (Header == 0)
    return {};
  Result = readFrameRule(Header, Address, Tables);
  __builtin_memcpy(&Rule, &Result, sizeof(Rule));
  __atomic_store_n(&Slot.Rule, Rule, __ATOMIC_RELAXED);
  __atomic_store_n(&Slot.Key, keyOf(Address, Rule), __ATOMIC_RELAXED);
  return Result;
}

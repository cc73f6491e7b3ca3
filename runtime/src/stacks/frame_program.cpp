// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of the table is built instruction by instruction.

#include "frame_program.h"

#include "table_bytes.h"

#include "interrupted.h"

using namespace loopscope::runtime;

namespace {
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
  Interpreter(const FrameCommon &C, Readable &Memory) : C(C), Memory(Memory) {}

  // Runs instructions up to the row for code at DISTANCE from the function's
  // start; false if they are damaged.
  bool run(uintptr_t First, uintptr_t End, uint64_t Distance) {
    TableBytes From(First, End, Memory);
    while (!From.isEmpty() && !From.IsBad) {
      if (!step(From))
        return false;
      if (Location > Distance) {
        Now = Last;
        break;
      }
    }
    return !From.IsBad;
  }
  void endOfCommon() { Initial = Now; }

  Row Now;

private:
  bool step(TableBytes &From);
  bool extended(uint8_t Operation, TableBytes &From);
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
  void callerByExpression(TableBytes From);
  void savedByExpression(uint64_t Register, TableBytes From);

  static constexpr int MostRemembered = 8;
  const FrameCommon &C;
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
constexpr uint8_t RegisterPlus = 0x70, WordThere = 0x06;

void Interpreter::callerByExpression(TableBytes From) {
  auto First = From.take<uint8_t>();
  int64_t Offset = From.takeSigned();
  auto Next = From.take<uint8_t>();
  Now.IsExpression = true;
  Now.Rule.Stack = CallerStack::Unknown;
  if (First == RegisterPlus + FrameRegisters::Frame && Next == WordThere &&
      From.isEmpty() && !From.IsBad) {
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
  if (IsStub && !From.IsBad && Pushed < 16) {
    Now.Rule.Stack = CallerStack::InLinkTable;
    Now.Rule.Distance = Pushed;
  }
}

void Interpreter::savedByExpression(uint64_t Register, TableBytes From) {
  auto First = From.take<uint8_t>();
  int64_t Offset = From.takeSigned();
  if (Register == FrameRegisters::Return)
    Now.IsStrange = true;
  if (Register != FrameRegisters::Frame)
    return;
  Now.Rule.Frame = CallerFrame::AtFrame;
  Now.Rule.FrameDistance = static_cast<int16_t>(Offset);
  if (First != RegisterPlus + FrameRegisters::Frame || !From.isEmpty() ||
      From.IsBad || Offset != Now.Rule.FrameDistance)
    Now.IsStrange = true;
}

bool Interpreter::step(TableBytes &From) {
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
bool Interpreter::extended(uint8_t Operation, TableBytes &From) {
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
    TableBytes Of = From;
    From.skip(Size);
    Of.End = From.At;
    callerByExpression(Of);
    return true;
  }
  case 0x10: { // expression
    Register = From.takeUnsigned();
    uint64_t Size = From.takeUnsigned();
    TableBytes Of = From;
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
} // namespace

FrameRule loopscope::runtime::runFrameProgram(const FrameCommon &Common,
                                              uintptr_t First, uintptr_t End,
                                              uint64_t Distance,
                                              Readable &Tables) {
  Interpreter Run(Common, Tables);
  if (!Run.run(Common.First, Common.End, UINT64_MAX))
    return {};
  Run.endOfCommon();
  if (!Run.run(First, End, Distance))
    return {};
  return ruleOf(Run.Now, Common.IsSignal);
}

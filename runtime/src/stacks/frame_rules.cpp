// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a function's entry in .eh_frame, and remembers its rules, without a
// lock, memory or libc.

#include "frame_rules.h"

#include "code.h"
#include "frame_program.h"
#include "table_bytes.h"

#include "interrupted.h"

using namespace loopscope::runtime;

namespace {
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

uint64_t takeEncodedSize(TableBytes &From, uint8_t Encoding) {
  switch (encodedBytes(Encoding)) {
  case 8:
    return From.take<uint64_t>();
  case 4:
    return From.take<uint32_t>();
  case 2:
    return From.take<uint16_t>();
  default:
    From.IsBad = true;
    return 0;
  }
}

bool readCommon(uintptr_t At, Readable &Memory, FrameCommon &Into) {
  TableBytes Head(At, At + 8, Memory);
  auto Length = Head.take<uint32_t>();
  auto Id = Head.take<uint32_t>();
  if (Head.IsBad || Id != 0 || Length >= Longest)
    return false;
  TableBytes From(Head.At, At + 4 + Length, Memory);
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
    return !From.IsBad && Letters[0] == 0;
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
  return !From.IsBad && Into.First <= Into.End;
}

// The entry (FDE) that may have ADDRESS, by the sorted table; 0 if there is
// none. Distance: of ADDRESS from the function's start.
uintptr_t findEntry(uintptr_t Header, uintptr_t Address, Readable &Memory,
                    uint64_t &Distance) {
  constexpr uintptr_t HeadBytes = 12;
  TableBytes Head(Header, Header + HeadBytes, Memory);
  bool IsKnown = Head.take<uint8_t>() == 1;
  IsKnown &= Head.take<uint8_t>() != Omitted;
  IsKnown &= Head.take<uint8_t>() == UnsignedInt32;
  IsKnown &= Head.take<uint8_t>() == TableOfInt32;
  Head.take<uint32_t>();
  auto Count = Head.take<uint32_t>();
  if (!IsKnown || Head.IsBad || Count == 0)
    return 0;
  struct Pair {
    int32_t Start, Entry;
  };
  auto PairAt = [&](uint32_t I) {
    uintptr_t At = Header + HeadBytes + I * sizeof(Pair);
    TableBytes From(At, At + sizeof(Pair), Memory);
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
  TableBytes Head(At, At + 8, Tables);
  auto Length = Head.take<uint32_t>();
  uintptr_t Self = Head.At;
  auto ToCommon = Head.take<uint32_t>();
  FrameCommon C;
  if (Head.IsBad || Length == 0 || Length >= Longest || ToCommon == 0 ||
      !readCommon(Self - ToCommon, Tables, C))
    return {};
  TableBytes From(Head.At, Self + Length, Tables);
  From.skip(encodedBytes(C.Pointers));
  uint64_t Size = takeEncodedSize(From, C.Pointers & FormatMask);
  if (C.HasAugmentation)
    From.skip(From.takeUnsigned());
  if (From.IsBad || Distance >= Size)
    return {};
  return runFrameProgram(C, From.At, From.End, Distance, Tables);
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

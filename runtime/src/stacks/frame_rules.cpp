// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a function's entry in .eh_frame.

#include "frame_rules.h"

#include "frame_common.h"
#include "frame_program.h"
#include "table_bytes.h"

#include "interrupted.h"

using namespace loopscope::runtime;

namespace {
// Encodings of pointers (DW_EH_PE_*).
constexpr uint8_t Omitted = 0xff, FormatMask = 0x0f;
constexpr uint8_t TableOfInt32 = 0x3b, UnsignedInt32 = 3;

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
  if (Head.IsBad || Length == 0 || Length >= LongestFrameEntry ||
      ToCommon == 0 || !readFrameCommon(Self - ToCommon, Tables, C))
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common entries.

#include "frame_common.h"

#include "interrupted.h"

using namespace loopscope::runtime;

unsigned loopscope::runtime::encodedBytes(uint8_t Encoding) {
  switch (Encoding & 7) {
  case 0:
  case 4:
    return 8;
  case 2:
    return 2;
  case 3:
    return 4;
  default:
    return 0;
  }
}

bool loopscope::runtime::readFrameCommon(uintptr_t At, Readable &Tables,
                                         FrameCommon &Into) {
  TableBytes Head(At, At + 8, Tables);
  auto Length = Head.take<uint32_t>();
  auto Id = Head.take<uint32_t>();
  if (Head.IsBad || Id != 0 || Length >= LongestFrameEntry)
    return false;
  TableBytes From(Head.At, At + 4 + Length, Tables);
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

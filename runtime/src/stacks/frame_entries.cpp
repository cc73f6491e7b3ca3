// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions by their distance from their entry, as compilers write it.

#include "frame_entries.h"

#include "frame_common.h"
#include "table_bytes.h"

using namespace loopscope::runtime;

bool loopscope::runtime::nextFrameEntry(uintptr_t &At, uintptr_t End,
                                        FrameEntry &Into, Readable &Tables) {
  Into = {};
  TableBytes Head(At, End, Tables);
  auto Length = Head.take<uint32_t>();
  uintptr_t Self = Head.At;
  if (Head.IsBad || Length == 0 || Length >= LongestFrameEntry ||
      Length > End - Self)
    return false;
  auto ToCommon = Head.take<uint32_t>();
  constexpr uint8_t Relative = 0x10, Int32 = 0x0b;
  FrameCommon C;
  if (ToCommon != 0 && readFrameCommon(Self - ToCommon, Tables, C) &&
      C.Pointers == (Relative | Int32)) {
    uintptr_t Place = Head.At;
    auto Distance = Head.take<int32_t>();
    if (!Head.IsBad)
      Into = {At, Place + static_cast<uintptr_t>(intptr_t(Distance))};
  }
  At = Self + Length;
  return true;
}

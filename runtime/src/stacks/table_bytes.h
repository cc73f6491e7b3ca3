// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as tables of frames write them (DWARF 5, section 7.6), read in a
// signal's handler from memory that may be damaged or gone.

#ifndef LOOPSCOPE_STACKS_TABLE_BYTES_H
#define LOOPSCOPE_STACKS_TABLE_BYTES_H

#include "readable.h"

#include <stdint.h>

namespace loopscope::runtime {

/// A piece of a table, read from front to back. After a read beyond its end or
/// of unreadable memory all is zero, and IsBad.
class TableBytes {
public:
  TableBytes(uintptr_t From, uintptr_t End, Readable &Memory)
      : At(From), End(End), Memory(Memory) {}

  template <typename T> __attribute__((no_sanitize("address"))) T take() {
    if (End - At < sizeof(T) || End < At || !Memory.has(At, sizeof(T))) {
      IsBad = true;
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
    IsBad = true;
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
    IsBad = true;
    return 0;
  }
  void skip(uint64_t Count) {
    if (Count > End - At)
      IsBad = true;
    At = Count > End - At ? End : At + Count;
  }
  bool isEmpty() const { return At >= End; }

  uintptr_t At;
  uintptr_t End;
  bool IsBad = false;

private:
  // Of ten bytes, the longest number.
  static constexpr unsigned MostBits = 70;
  Readable &Memory;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_TABLE_BYTES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table of indices.

#include "array.h"

#include "base/memory.h"

using namespace loopscope::runtime;

IndexTable::~IndexTable() {
  if (Slots != nullptr)
    munmap(Slots, Size * sizeof(Slot));
}

void IndexTable::place(Slot *Slots, size_t Size, Slot Each) {
  *probe(Slots, Size, Each.Hash,
         [](const Slot &S) { return S.IndexPlusOne == 0; }) = Each;
}

bool IndexTable::grow() {
  size_t NewSize = Size == 0 ? 1024 : Size * 2;
  void *Memory = mapMemory(NewSize * sizeof(Slot));
  if (Memory == nullptr)
    return false;
  auto *New = static_cast<Slot *>(Memory);
  for (size_t I = 0; I < Size; ++I)
    if (Slots[I].IndexPlusOne != 0)
      place(New, NewSize, Slots[I]);
  if (Slots != nullptr)
    munmap(Slots, Size * sizeof(Slot));
  Slots = New;
  Size = NewSize;
  return true;
}

bool IndexTable::add(uint64_t Hash, uint32_t Index) {
  if (Used * 2 >= Size && !grow())
    return false;
  place(Slots, Size, {Hash, Index + 1});
  ++Used;
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the table of keyed nodes.

#include "key_table.h"

#include "base/memory.h"

using namespace loopscope::runtime;

namespace {
constexpr uint64_t FirstSize = 127 + 1; // with what precedes it, two pages
constexpr uint64_t LargestSize = 1U << 17;
} // namespace

KeyTable *loopscope::runtime::tableWithRoom(ThreadLinks &L) {
  KeyTable *Old = L.Keys;
  if (Old != nullptr && Old->Used < Old->Size / 4 * 3)
    return Old;
  uint64_t Size = Old == nullptr ? FirstSize : Old->Size * 2;
  if (Size > LargestSize)
    return nullptr;
  auto *New = static_cast<KeyTable *>(
      mapMemory(sizeof(KeyTable) + Size * sizeof(KeyEntry)));
  if (New == nullptr)
    return nullptr;
  New->Size = Size;
  if (Old != nullptr) {
    New->Used = Old->Used;
    New->Nodes = Old->Nodes;
    for (uint64_t I = 0; I < Old->Size; ++I)
      if (const KeyEntry &Each = Old->all()[I]; Each.Parent != nullptr)
        placeOf(*New, {Each.Parent, Each.Site, Each.Value}) = Each;
  }
  __atomic_store_n(&L.Keys, New, __ATOMIC_RELEASE);
  return New;
}

bool loopscope::runtime::rememberKey(ThreadLinks &L, const WantedKey &Of,
                                     Node *N) {
  KeyTable *Table = tableWithRoom(L);
  if (Table == nullptr)
    return false;
  KeyEntry &Place = placeOf(*Table, Of);
  Table->Used += Place.Parent == nullptr ? 1 : 0;
  // A signal handler may read a free place until Parent says that it isn't.
  Place.N = N;
  Place.Value = Of.Value;
  Place.Site = Of.Site;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  Place.Parent = Of.Parent;
  return true;
}

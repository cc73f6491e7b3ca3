// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interning table: open addressing with linear probing, at most half full.

#include "Run/Model/TraceStrings.h"

#include "Support/Printable.h"

#include <cstring>
#include <utility>

namespace loopscope {
namespace {

// Eight bytes at a time: names are long and most look-ups are hits, so this
// function dominates the table's time.
uint64_t hashOf(std::string_view Text) {
  constexpr uint64_t Prime = 0x9E3779B97F4A7C15ULL;
  uint64_t Hash = Text.size() * Prime;
  const char *At = Text.data();
  size_t Left = Text.size();
  for (; Left >= 8; At += 8, Left -= 8) {
    uint64_t Word = 0;
    std::memcpy(&Word, At, 8);
    Hash = (Hash ^ Word) * Prime;
    Hash ^= Hash >> 29;
  }
  uint64_t Word = 0;
  if (Left != 0)
    std::memcpy(&Word, At, Left);
  Hash = (Hash ^ Word) * Prime;
  return Hash ^ (Hash >> 32);
}

} // namespace

TraceStrings::TraceStrings() : Slots(16) { intern({}); }

uint32_t TraceStrings::intern(std::string_view Text) {
  uint64_t Hash = hashOf(Text);
  size_t Mask = Slots.size() - 1;
  for (size_t I = Hash & Mask;; I = (I + 1) & Mask) {
    Slot &Found = Slots[I];
    if (Found.IdPlusOne == 0) {
      auto Id = static_cast<uint32_t>(Texts.size());
      Texts.emplace_back(Text);
      Found = {Hash, Id + 1};
      if (Texts.size() * 2 > Slots.size())
        grow();
      return Id;
    }
    if (Found.Hash == Hash && Texts[Found.IdPlusOne - 1] == Text)
      return Found.IdPlusOne - 1;
  }
}

void TraceStrings::makePrintable() {
  for (std::string &Text : Texts)
    if (std::string Shown = printable(Text); Shown != Text)
      Text = std::move(Shown);
}

void TraceStrings::grow() {
  std::vector<Slot> Old(Slots.size() * 2);
  Old.swap(Slots);
  size_t Mask = Slots.size() - 1;
  for (const Slot &Moved : Old) {
    if (Moved.IdPlusOne == 0)
      continue;
    size_t I = Moved.Hash & Mask;
    while (Slots[I].IdPlusOne != 0)
      I = (I + 1) & Mask;
    Slots[I] = Moved;
  }
}

} // namespace loopscope

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache without a lock, memory or libc.

#include "known_rules.h"

#include "code.h"

using namespace loopscope::runtime;

namespace {
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

FrameRule loopscope::runtime::knownRule(uintptr_t Address, Readable &Tables) {
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

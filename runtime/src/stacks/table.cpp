// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open addressing. A slot is claimed, filled, and then published; a thread
// skips a slot that another thread is filling, so that a handler never waits.
// Readers add up equal slots.

#include "table.h"

#include "base/probe.h"
#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sums.h"

#include <loopscope/named_losses.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t Slots = 1U << 14; // 2 MiB
constexpr uint32_t MostProbes = 64;

struct StackTable {
  StackSample *First; // null if there is no table
};
StackTable Table;

uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15U;
  return Hash ^ Hash >> 32;
}

uint64_t hashOf(const StackSample &S) {
  uint64_t Hash = mix(uint64_t(S.node) << 32 | S.thread,
                      uint64_t(S.loading) << 32 | S.flags);
  for (uint32_t I = 0; I < S.depth; ++I)
    Hash = mix(Hash, S.frame[I]);
  return Hash;
}

bool isSame(const StackSample &A, const StackSample &B) {
  return A.node == B.node && A.thread == B.thread && A.flags == B.flags &&
         A.depth == B.depth && A.loading == B.loading &&
         memcmp(A.frame, B.frame, A.depth * sizeof(A.frame[0])) == 0;
}

void fill(StackSample &Slot, const StackSample &From) {
  Slot.node = From.node;
  Slot.thread = From.thread;
  Slot.flags = From.flags;
  Slot.depth = From.depth;
  Slot.loading = From.loading;
  memcpy(Slot.frame, From.frame, From.depth * sizeof(From.frame[0]));
  Slot.count = 1;
  __atomic_store_n(&Slot.state, uint32_t(LOOPSCOPE_STACK_PUBLISHED),
                   __ATOMIC_RELEASE);
}

bool addTo(StackSample *First, const StackSample &Sample) {
  auto AddTo = [&Sample](StackSample &Slot) {
    uint32_t State = __atomic_load_n(&Slot.state, __ATOMIC_ACQUIRE);
    if (State == LOOPSCOPE_STACK_UNUSED &&
        __atomic_compare_exchange_n(&Slot.state, &State,
                                    uint32_t(LOOPSCOPE_STACK_WRITTEN), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      fill(Slot, Sample);
      return true;
    }
    if (State != LOOPSCOPE_STACK_PUBLISHED || !isSame(Slot, Sample))
      return false;
    __atomic_fetch_add(&Slot.count, 1, __ATOMIC_RELAXED);
    return true;
  };
  return probe(First, Slots, hashOf(Sample), AddTo, MostProbes) != nullptr;
}
} // namespace

void loopscope::runtime::registerStackTable() {
  registerCounter(LOOPSCOPE_COUNT_STACKS_LOST);
}

void loopscope::runtime::makeStackTable() {
  SlowLock Lock;
  Chunk *C = addChunk(LOOPSCOPE_CHUNK_STACKS, 0, Slots, sizeof(StackSample), 0);
  if (C == nullptr)
    return;
  publish(C, Slots);
  __atomic_store_n(&Table.First, reinterpret_cast<StackSample *>(entries(C)),
                   __ATOMIC_RELEASE);
}

void loopscope::runtime::addStackSample(StackSample &Sample) {
  // Lost unless we get to the end.
  addToCounter(LOOPSCOPE_COUNT_STACKS_LOST, 1);
  StackSample *First = __atomic_load_n(&Table.First, __ATOMIC_ACQUIRE);
  bool IsIn = First != nullptr && addTo(First, Sample);
  if (!IsIn && First != nullptr && Sample.depth > 1) {
    Sample.depth = 1;
    Sample.flags |= LOOPSCOPE_STACK_CUT;
    IsIn = addTo(First, Sample);
  }
  if (IsIn)
    addToCounter(LOOPSCOPE_COUNT_STACKS_LOST, ~uint64_t{0}); // takes it back
}

void loopscope::runtime::resetStackTable() { Table.First = nullptr; }

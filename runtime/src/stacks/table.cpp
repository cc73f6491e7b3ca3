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

using namespace loopscope::runtime;

namespace {
using Frame = loopscope_frame;
constexpr uint32_t Slots = 1U << 17; // 3 MiB
constexpr uint32_t MostProbes = 64;

struct StackTable {
  Frame *First; // null if there is no table
};
StackTable Table;

uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15U;
  return Hash ^ Hash >> 32;
}

// Finds or makes the slot of a key. Null: there is no room.
Frame *slotOf(Frame *First, loopscope_frame_state State, uint32_t Parent,
              uint64_t Address) {
  auto IsIt = [=](Frame &Slot) {
    uint32_t Found = __atomic_load_n(&Slot.state, __ATOMIC_ACQUIRE);
    if (Found == LOOPSCOPE_FRAME_UNUSED &&
        __atomic_compare_exchange_n(&Slot.state, &Found,
                                    uint32_t(LOOPSCOPE_FRAME_WRITTEN), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      Slot.parent = Parent;
      Slot.address = Address;
      __atomic_store_n(&Slot.state, uint32_t(State), __ATOMIC_RELEASE);
      return true;
    }
    return Found == State && Slot.parent == Parent && Slot.address == Address;
  };
  return probe(First, Slots, mix(mix(State, Parent), Address), IsIt,
               MostProbes);
}

// Adds the sample's DEPTH innermost frames.
bool addTo(Frame *First, const StackSample &S, uint32_t Flags, uint32_t Depth) {
  auto Join = [](uint32_t High, uint32_t Low) {
    return uint64_t(High) << 32 | Low;
  };
  auto IndexOf = [=](const Frame *Of) {
    return static_cast<uint32_t>(Of - First);
  };
  Frame *At = slotOf(First, LOOPSCOPE_FRAME_THREAD, LOOPSCOPE_NONE,
                     Join(S.Node, S.Thread));
  if (At != nullptr)
    At = slotOf(First, LOOPSCOPE_FRAME_PLACE, IndexOf(At),
                Join(S.Loading, Flags));
  for (uint32_t I = Depth; I > 0 && At != nullptr; --I)
    At = slotOf(First, LOOPSCOPE_FRAME_CALL, IndexOf(At), S.Frames[I - 1]);
  if (At == nullptr)
    return false;
  __atomic_fetch_add(&At->count, 1, __ATOMIC_RELAXED);
  return true;
}
} // namespace

void loopscope::runtime::registerStackTable() {
  registerCounter(LOOPSCOPE_COUNT_STACKS_LOST);
}

void loopscope::runtime::makeStackTable() {
  SlowLock Lock;
  Chunk *C = addChunk(LOOPSCOPE_CHUNK_FRAMES, 0, Slots, sizeof(Frame), 0);
  if (C == nullptr)
    return;
  publish(C, Slots);
  __atomic_store_n(&Table.First, reinterpret_cast<Frame *>(entries(C)),
                   __ATOMIC_RELEASE);
}

void loopscope::runtime::addStackSample(const StackSample &Sample) {
  // Lost unless we get to the end.
  addToCounter(LOOPSCOPE_COUNT_STACKS_LOST, 1);
  Frame *First = __atomic_load_n(&Table.First, __ATOMIC_ACQUIRE);
  if (First == nullptr)
    return;
  constexpr uint32_t Whole = LOOPSCOPE_STACK_WHOLE;
  bool IsIn =
      addTo(First, Sample, Sample.Flags, Sample.Depth) ||
      (Sample.Depth > 1 &&
       addTo(First, Sample, (Sample.Flags & ~Whole) | LOOPSCOPE_STACK_CUT, 1));
  if (IsIn)
    addToCounter(LOOPSCOPE_COUNT_STACKS_LOST, ~uint64_t{0}); // takes it back
}

void loopscope::runtime::resetStackTable() { Table.First = nullptr; }

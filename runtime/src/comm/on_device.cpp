// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of operations whose times aren't known yet. Records arrive roughly in
// the order of launches, so a search ends near the beginning. An operation
// whose record never comes (its launch was captured, or its record dropped) is
// overwritten eventually, and its time stays unknown.

#include "on_device.h"

#include "collectives.h"

#include "base/memory.h"
#include "base/mutex_lock.h"
#include "profile/sums.h"

#include <pthread.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Most = 1U << 14; // 896 KiB
// How many operations of other threads may lie between those of a launch.
constexpr uint32_t MostBetween = 256;

struct Awaited {
  uint32_t Launch; // 0: its time is known
  DeviceOperation What;
};

struct DeviceState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Awaited *Ring = nullptr;
  uint64_t First = 0; // all before it have their times
  uint64_t End = 0;
  SumId Time = NotRegistered;
};
constinit DeviceState State;

// Adds the time of COUNT operations, represented by ALL.
void add(const DeviceOperation &All, uint32_t Count, uint64_t Start,
         uint64_t End) {
  addToNode(State.Time, All.Node, End - Start);
  for (uint32_t I = 1; I < Count; ++I)
    addToNode(State.Time, All.Node, 0);
  if (All.IsCompared)
    recordOnDevice(All, Count, Start, End);
}
// The operations of one launch.
struct Claimed {
  DeviceOperation All = {}; // represents all of them
  uint32_t Count = 0;
  bool IsMixed = false; // they belong to several nodes
};

// Removes the operations of LAUNCH from the ring.
Claimed claim(uint32_t Launch) {
  Claimed Result;
  MutexLock Held(State.Mutex);
  uint32_t Others = 0;
  bool IsFirst = true; // all before this one have their times
  for (uint64_t I = State.First; I != State.End; ++I) {
    Awaited &Each = State.Ring[I % Most];
    if (Each.Launch == Launch) {
      if (Result.Count++ == 0)
        Result.All = Each.What;
      else
        Result.All.Bytes += Each.What.Bytes;
      Result.IsMixed |= Each.What.Node != Result.All.Node;
      Each.Launch = 0;
      Others = 0;
    } else if (Result.Count != 0 && ++Others == MostBetween) {
      break;
    }
    IsFirst = IsFirst && Each.Launch == 0;
    if (IsFirst)
      State.First = I + 1;
  }
  return Result;
}
} // namespace

void loopscope::runtime::registerDeviceTimes() {
  State.Time = registerSum(LOOPSCOPE_SUM_COMM_ON_DEVICE, LOOPSCOPE_SUM_TICKS);
}

void loopscope::runtime::awaitTime(uint32_t Launch,
                                   const DeviceOperation &What) {
  MutexLock Held(State.Mutex);
  if (State.Ring == nullptr)
    State.Ring = static_cast<Awaited *>(reserveMemory(Most * sizeof(Awaited)));
  if (State.Ring == nullptr)
    return;
  if (State.End - State.First == Most)
    ++State.First;
  State.Ring[State.End++ % Most] = {Launch, What};
}

void loopscope::runtime::giveTime(uint32_t Launch, uint64_t Start,
                                  uint64_t End) {
  Claimed Of = claim(Launch);
  // The time of a kernel that runs several nodes' operations can't be split.
  if (Of.Count != 0 && !Of.IsMixed)
    add(Of.All, Of.Count, Start, End);
}

void loopscope::runtime::resetDeviceTimes() {
  pthread_mutex_init(&State.Mutex, nullptr);
  State.First = State.End;
}

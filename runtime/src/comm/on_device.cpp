// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of operations without their times. Records come about in the order of
// launches, so what is looked for stands near the beginning. An operation whose
// record never comes (a launch that was captured, a record that was dropped) is
// overwritten in the end, and stays one of which no time is known.

#include "on_device.h"

#include "collectives.h"

#include "core/mutex_lock.h"
#include "core/sums.h"
#include "core/system.h"

#include <pthread.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Most = 1U << 14; // 896 KiB
// Operations of other threads that may stand between those of a launch.
constexpr uint32_t MostBetween = 256;

struct Awaited {
  uint32_t Launch; // 0: it has its time
  DeviceOperation What;
};

struct DeviceState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Awaited *Ring = nullptr;
  uint64_t First = 0; // what is before has its time
  uint64_t End = 0;
  SumId Time = NotRegistered;
};
constinit DeviceState State;

// Adds the time of COUNT operations, of which ALL stands for all.
void add(const DeviceOperation &All, uint32_t Count, uint64_t Start,
         uint64_t End) {
  addToNode(State.Time, All.Node, End - Start);
  for (uint32_t I = 1; I < Count; ++I)
    addToNode(State.Time, All.Node, 0);
  if (All.IsCompared)
    recordOnDevice(All, Count, Start, End);
}
// What one launch does.
struct Claimed {
  DeviceOperation All = {}; // stands for all
  uint32_t Count = 0;
  bool IsMixed = false; // of several nodes
};

// Takes the operations of LAUNCH out of the ring.
Claimed claim(uint32_t Launch) {
  Claimed Result;
  MutexLock Held(State.Mutex);
  uint32_t Others = 0;
  bool IsFirst = true; // so far, all have their times
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
  // Of a kernel that does several operations, whose time it is isn't known.
  if (Of.Count != 0 && !Of.IsMixed)
    add(Of.All, Of.Count, Start, End);
}

void loopscope::runtime::resetDeviceTimes() {
  pthread_mutex_init(&State.Mutex, nullptr);
  State.First = State.End;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring of operations without their times. Records come about in the order of
// launches, so what is looked for stands near the beginning. An operation whose
// record never comes (a launch that was captured, a record that was dropped) is
// overwritten in the end, and stays one of which no time is known.

#include "on_device.h"

#include "collectives.h"

#include "core/sums.h"
#include "core/system.h"

#include <pthread.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Most = 1U << 14; // 768 KiB
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
} // namespace

void loopscope::runtime::registerDeviceTimes() {
  State.Time = registerSum(LOOPSCOPE_SUM_COMM_ON_DEVICE, LOOPSCOPE_SUM_TICKS);
}

void loopscope::runtime::awaitTime(uint32_t Launch,
                                   const DeviceOperation &What) {
  pthread_mutex_lock(&State.Mutex);
  if (State.Ring == nullptr)
    State.Ring = static_cast<Awaited *>(reserveMemory(Most * sizeof(Awaited)));
  if (State.Ring != nullptr) {
    if (State.End - State.First == Most)
      ++State.First;
    State.Ring[State.End++ % Most] = {Launch, What};
  }
  pthread_mutex_unlock(&State.Mutex);
}

void loopscope::runtime::giveTime(uint32_t Launch, uint64_t Start,
                                  uint64_t End) {
  DeviceOperation All = {};
  uint32_t Count = 0;
  bool IsMixed = false;
  pthread_mutex_lock(&State.Mutex);
  uint32_t Others = 0;
  bool IsFirst = true; // so far, all have their times
  for (uint64_t I = State.First; I != State.End; ++I) {
    Awaited &Each = State.Ring[I % Most];
    if (Each.Launch == Launch) {
      if (Count++ == 0)
        All = Each.What;
      else
        All.Bytes += Each.What.Bytes;
      IsMixed |= Each.What.Node != All.Node;
      Each.Launch = 0;
      Others = 0;
    } else if (Count != 0 && ++Others == MostBetween) {
      break;
    }
    IsFirst = IsFirst && Each.Launch == 0;
    if (IsFirst)
      State.First = I + 1;
  }
  pthread_mutex_unlock(&State.Mutex);
  // Of a kernel that does several operations, whose time it is isn't known.
  if (Count != 0 && !IsMixed)
    add(All, Count, Start, End);
}

void loopscope::runtime::resetDeviceTimes() {
  pthread_mutex_init(&State.Mutex, nullptr);
  State.First = State.End;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unions and idle time, in order of time.

#include "timeline.h"

#include "base/memory.h"
#include "profile/counts.h"
#include "profile/sums.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>

#include <new>

using namespace loopscope::runtime;

namespace {
// Returns how much of [START, END) is beyond COVERED, the end of a union of
// intervals that all started earlier, and adds the interval to the union.
uint64_t cover(uint64_t &Covered, uint64_t Start, uint64_t End) {
  uint64_t From = Start > Covered ? Start : Covered;
  if (End <= From)
    return 0;
  Covered = End;
  return End - From;
}

// Element INDEX of States, which grows with zeros as needed; null if out of
// memory.
template <typename T> T *stateAt(Array<T> &States, uint32_t Index) {
  T None{};
  while (States.size() <= Index)
    if (!States.push(None))
      return nullptr;
  return &States[Index];
}

void countLost(const DeviceUse &Read) {
  if (Read.Source == DeviceUseSource::Samples)
    addToCounter(LOOPSCOPE_COUNT_GPU_SAMPLES_LOST, 1);
}
} // namespace

Timeline::~Timeline() {
  for (Overlaps *Each : Devices)
    if (Each != nullptr) {
      Each->~Overlaps();
      munmap(static_cast<void *>(Each), sizeof(Overlaps));
    }
}

Overlaps *Timeline::deviceAt(uint32_t Index) {
  Overlaps **Place = stateAt(Devices, Index);
  if (Place == nullptr || *Place != nullptr)
    return Place == nullptr ? nullptr : *Place;
  void *Memory = mapMemory(sizeof(Overlaps));
  if (Memory == nullptr)
    return nullptr;
  *Place = new (Memory) Overlaps(Store, Tree, Index);
  return *Place;
}

void Timeline::describe(uint32_t Device) {
  if (Device < Devices.size() && Devices[Device] != nullptr)
    Devices[Device]->describe();
}

bool Timeline::add(const Interval &Given) {
  Interval I = Given;
  if (I.Start < Frontier) {
    I.IsCut = true;
    I.Start = Frontier;
  }
  if (I.End < I.Start)
    return false;
  if (Order.size() >= MostWaiting)
    countFirst();
  if (!Order.push(I))
    count(LOOPSCOPE_COUNT_GPU_LOST);
  return !I.IsCut;
}

void Timeline::countNode(const Interval &I, uint64_t Idle) {
  uint32_t Index = Store.nodeIndex(I.Node, Store.device(I.Device).id);
  NodeState *S = Index == UINT32_MAX ? nullptr : stateAt(Nodes, Index);
  if (S == nullptr) {
    count(LOOPSCOPE_COUNT_GPU_LOST);
    return;
  }
  GpuStore::NodeSums &N = Store.node(Index);
  Update<GpuStore::NodeSums> Writing(N);
  N.busy_ticks += cover(S->AllEnd, I.Start, I.End);
  if (I.IsKernel)
    N.kernel_ticks += cover(S->KernelEnd, I.Start, I.End);
  N.idle_ticks += Idle;
}

// Adds to the union of this work and to that of all work with its name.
void Timeline::countWork(const Interval &I) {
  uint32_t Same = Store.sameWorkIndex(I.Work);
  if (Same == UINT32_MAX)
    return; // tells the reader that there is none
  uint64_t *Covered = stateAt(Works, I.Work);
  uint64_t *SameCovered = stateAt(SameWorks, Same);
  if (Covered == nullptr || SameCovered == nullptr) {
    count(LOOPSCOPE_COUNT_GPU_LOST);
    return;
  }
  GpuStore::Work &W = Store.work(I.Work);
  Update<GpuStore::Work> Writing(W);
  W.busy_ticks += cover(*Covered, I.Start, I.End);
  GpuStore::SameWork &S = Store.sameWork(Same);
  Update<GpuStore::SameWork> WritingSame(S);
  S.busy_ticks += cover(*SameCovered, I.Start, I.End);
}

void Timeline::countFirst() {
  Interval I = Order.takeFirst();
  Frontier = I.Start;
  Waiting.addWork(I.Node, I.Start, I.End);
  Overlaps *Device = deviceAt(I.Device);
  if (Device == nullptr)
    return;
  uint64_t BusyUntil = Device->busyUntil();
  bool HasIdled = !I.IsCut && BusyUntil != 0 && I.Start > BusyUntil;
  Device->begin(I);
  countNode(I, HasIdled ? I.Start - BusyUntil : 0);
  countWork(I);
}

void Timeline::use(const DeviceUse &Read, uint64_t Age) {
  if (Readings.size() >= UseWindows::MostWaiting || !Readings.push({Read, Age}))
    countLost(Read);
}

// Those of devices that have done nothing for the program stay.
void Timeline::takeReadings() {
  size_t Left = 0;
  for (const Reading &Each : Readings) {
    Overlaps *Of = nullptr;
    for (uint32_t I = 0; I < Store.deviceCount(); ++I)
      if (Store.device(I).id == Each.Use.Device)
        Of = deviceAt(I);
    if (Of != nullptr && !Of->use(Each.Use, Each.Age))
      countLost(Each.Use);
    else if (Of == nullptr)
      Readings[Left++] = Each;
  }
  while (Readings.size() > Left)
    Readings.popBack();
}

void Timeline::settle(uint64_t Until) {
  takeReadings();
  while (Order.size() != 0 && Order.first().Start < Until)
    countFirst();
  Waiting.settle(Until);
  if (Until != UINT64_MAX && Until > Frontier)
    Frontier = Until;
  for (Overlaps *Each : Devices)
    if (Each != nullptr && Until == UINT64_MAX)
      Each->finish();
    else if (Each != nullptr)
      Each->moveTo(Until);
}

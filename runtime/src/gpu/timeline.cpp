// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unions, idle time and waits, in order of time.
#include "timeline.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t MostWaits = 4096;

// Adds what [START, END) covers beyond COVERED, the end of a union of intervals
// that all started earlier.
uint64_t cover(uint64_t &Covered, uint64_t Start, uint64_t End) {
  uint64_t From = Start > Covered ? Start : Covered;
  if (End <= From)
    return 0;
  Covered = End;
  return End - From;
}

// The element INDEX of States, which grows with zeros up to it; null without
// memory.
template <typename T> T *stateAt(Array<T> &States, uint32_t Index) {
  T None;
  memset(static_cast<void *>(&None), 0, sizeof(None));
  while (States.size() <= Index)
    if (!States.push(None))
      return nullptr;
  return &States[Index];
}
} // namespace

void Concurrency::moveTo(uint64_t Time, double &Sum) {
  while (Count != 0) {
    unsigned First = 0;
    double Blocks = 0;
    for (unsigned I = 0; I < Count; ++I) {
      Blocks += static_cast<double>(Kernels[I].Blocks);
      if (Kernels[I].End < Kernels[First].End)
        First = I;
    }
    uint64_t Until = Kernels[First].End < Time ? Kernels[First].End : Time;
    if (Until > Now) {
      Sum += (Blocks < 1 ? Blocks : 1) * static_cast<double>(Until - Now);
      Now = Until;
    }
    if (Kernels[First].End > Time)
      return;
    Kernels[First] = Kernels[--Count];
  }
  if (Time != UINT64_MAX)
    Now = Time;
}

void Concurrency::add(uint64_t Start, uint64_t End, float BlocksPerSm,
                      double &Sum) {
  moveTo(Start, Sum);
  if (Count < MostAtOnce)
    Kernels[Count++] = {End, BlocksPerSm};
}

bool Timeline::add(const Interval &I) {
  if (I.Start < Frontier)
    return false;
  if (Waiting.size() >= MostWaiting)
    countFirst();
  return Waiting.push(I);
}

Timeline::Wait *Timeline::findWait(uint32_t Tag, uint64_t Start) {
  for (Wait &W : Waits)
    if (W.Tag == Tag && W.Start == Start)
      return &W;
  return nullptr;
}

void Timeline::dropWait(size_t Index) {
  Waits[Index] = Waits.back();
  Waits.popBack();
}

void Timeline::beginWait(uint32_t Tag, uint32_t Waiter, uint64_t Start) {
  // A thread waits once at a time: an older one's end was lost.
  for (size_t I = Waits.size(); I-- != 0;)
    if (Waits[I].Tag == Tag && Waits[I].End == UINT64_MAX)
      dropWait(I);
  if (Waits.size() < MostWaits)
    Waits.push({Tag, Waiter, Start, Start, UINT64_MAX});
}

void Timeline::endWait(uint32_t Tag, uint32_t Waiter, uint64_t Start,
                       uint64_t End) {
  if (Wait *W = findWait(Tag, Start))
    W->End = End;
  else if (Waits.size() < MostWaits)
    Waits.push({Tag, Waiter, Start, Start, End});
}

void Timeline::charge(Wait &W, uint32_t Worker, uint64_t UpTo) {
  if (UpTo <= W.Done)
    return;
  if (GpuStore::Wait *Sums = Store.wait(W.Waiter, Worker)) {
    Update<GpuStore::Wait> Writing(*Sums);
    Sums->ticks += UpTo - W.Done;
  }
  W.Done = UpTo;
}

void Timeline::countWaits(const Interval &I) {
  for (Wait &W : Waits) {
    if (I.Start >= W.End || I.End <= W.Done)
      continue;
    charge(W, LOOPSCOPE_NONE, I.Start);
    charge(W, I.Node, I.End < W.End ? I.End : W.End);
  }
}

void Timeline::countDevice(const Interval &I) {
  DeviceState *S = stateAt(Devices, I.Device);
  if (S == nullptr)
    return;
  uint64_t Idle =
      S->AllEnd != 0 && I.Start > S->AllEnd ? I.Start - S->AllEnd : 0;
  GpuStore::Device &D = Store.device(I.Device);
  {
    Update<GpuStore::Device> Writing(D);
    D.busy_ticks += cover(S->AllEnd, I.Start, I.End);
    if (I.IsKernel)
      D.kernel_ticks += cover(S->KernelEnd, I.Start, I.End);
    else
      D.copy_ticks += cover(S->CopyEnd, I.Start, I.End);
    if (I.IsKernel && I.BlocksPerSm >= 0)
      S->Filled.add(I.Start, I.End, I.BlocksPerSm, D.multiprocessor_ticks);
  }
  countNode(I, Idle);
}

void Timeline::countNode(const Interval &I, uint64_t Idle) {
  uint32_t Index = Store.nodeIndex(I.Node, Store.device(I.Device).id);
  NodeState *S = Index == UINT32_MAX ? nullptr : stateAt(Nodes, Index);
  if (S == nullptr)
    return;
  GpuStore::NodeSums &N = Store.node(Index);
  Update<GpuStore::NodeSums> Writing(N);
  N.busy_ticks += cover(S->AllEnd, I.Start, I.End);
  if (I.IsKernel)
    N.kernel_ticks += cover(S->KernelEnd, I.Start, I.End);
  N.idle_ticks += Idle;
}

void Timeline::countFirst() {
  Interval I = Waiting.takeFirst();
  Frontier = I.Start;
  countWaits(I);
  countDevice(I);
}

void Timeline::settle(uint64_t Until) {
  while (Waiting.size() != 0 &&
         (Waiting.first().End < Until || Until == UINT64_MAX))
    countFirst();
  for (size_t I = Waits.size(); I-- != 0;) {
    Wait &W = Waits[I];
    if (W.End >= Until ||
        (Waiting.size() != 0 && Waiting.first().Start < W.End))
      continue;
    charge(W, LOOPSCOPE_NONE, W.End);
    dropWait(I);
  }
  if (Until != UINT64_MAX)
    return;
  for (uint32_t I = 0; I < Devices.size(); ++I) {
    GpuStore::Device &D = Store.device(I);
    Update<GpuStore::Device> Writing(D);
    Devices[I].Filled.finish(D.multiprocessor_ticks);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Charges waits to device work.

#include "waits.h"

using namespace loopscope::runtime;

namespace {
constexpr size_t MostThreads = 4096;

template <typename T> void drop(Array<T> &From, size_t Index) {
  From[Index] = From.back();
  From.popBack();
}
} // namespace

void Waits::begin(uint32_t Tag, uint32_t Waiter, uint64_t Start) {
  // A thread has only one wait at a time: the end of an older one was lost.
  for (size_t I = Open.size(); I-- != 0;)
    if (Open[I].Tag == Tag)
      drop(Open, I);
  if (Open.size() < MostThreads)
    Open.push({Start, UINT64_MAX, 0, Tag, Waiter});
}

void Waits::end(uint32_t Tag, uint32_t Waiter, uint64_t Start, uint64_t End) {
  Wait W = {Start, End, 0, Tag, Waiter};
  bool WasOpen = false;
  for (size_t I = 0; I < Open.size() && !WasOpen; ++I)
    if (Open[I].Tag == Tag && Open[I].Start == Start) {
      W.Charged = Open[I].Charged;
      drop(Open, I);
      WasOpen = true;
    }
  // Work that ran before the wait became known has been forgotten.
  uint64_t Forgotten = Covered > Settled ? Covered : Settled;
  if (!WasOpen && W.Start < Forgotten)
    W.Start = Forgotten;
  if (W.End <= W.Start)
    return;
  if (W.Charged != 0) {
    Now.push(W);
    return;
  }
  if (Later.size() >= MostKept)
    finish(Later.takeFirst());
  Later.push(W);
}

void Waits::add(const Wait &W, uint32_t Worker, uint64_t Ticks) {
  if (Ticks == 0)
    return;
  if (GpuStore::Wait *Sums = Store.wait(W.Waiter, Worker)) {
    Update<GpuStore::Wait> Writing(*Sums);
    Sums->ticks += Ticks;
  }
}

void Waits::charge(Wait &W, uint32_t Worker, uint64_t From, uint64_t To) {
  From = From > W.Start ? From : W.Start;
  To = To < W.End ? To : W.End;
  if (To <= From)
    return;
  add(W, Worker, To - From);
  W.Charged += To - From;
}

void Waits::finish(const Wait &W) {
  uint64_t Length = W.End - W.Start;
  if (Length > W.Charged)
    add(W, LOOPSCOPE_NONE, Length - W.Charged);
}

void Waits::addWork(uint32_t Worker, uint64_t Start, uint64_t End) {
  // The time up to Covered is charged to earlier work.
  uint64_t From = Start > Covered ? Start : Covered;
  if (End <= From)
    return;
  Covered = End;
  for (size_t I = Now.size(); I-- != 0;)
    if (Now[I].End <= From) {
      finish(Now[I]);
      drop(Now, I);
    }
  while (Later.size() != 0 && Later.first().Start < End) {
    Wait W = Later.takeFirst();
    if (W.End <= From)
      finish(W);
    else
      Now.push(W);
  }
  for (Wait &W : Now)
    charge(W, Worker, From, End);
  for (Wait &W : Open)
    charge(W, Worker, From, End);
}

void Waits::settle(uint64_t Until) {
  Settled = Until;
  for (size_t I = Now.size(); I-- != 0;)
    if (Now[I].End <= Until) {
      finish(Now[I]);
      drop(Now, I);
    }
  while (Later.size() != 0 && Later.first().End <= Until)
    finish(Later.takeFirst());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches whose records haven't arrived.

#include "outstanding.h"

#include "base/memory.h"

using namespace loopscope::runtime;

namespace {
constexpr size_t IdBytes = size_t(Launches::Size) * sizeof(uint32_t);
} // namespace

Outstanding::~Outstanding() {
  if (ArrivedIds != nullptr)
    munmap(ArrivedIds, IdBytes);
}

bool Outstanding::arrived(uint32_t Correlation, Launch &Result) {
  uint32_t Outer = 0;
  if (!Calls.find(Correlation, Result, &Outer)) {
    for (Call &Each : Old)
      if (Each.Correlation == Correlation && Correlation != 0) {
        Arrivals += Each.HasArrived ? 0 : 1;
        Each.HasArrived = true;
        Result = Each.Made;
        return true;
      }
    return false;
  }
  uint32_t Id = Outer == 0 ? Correlation : Outer;
  if (ArrivedIds == nullptr) {
    ArrivedIds = static_cast<uint32_t *>(reserveMemory(IdBytes));
    if (ArrivedIds == nullptr)
      return true;
  }
  uint32_t &Last = ArrivedIds[Id & (Launches::Size - 1)];
  Arrivals += Last == Id ? 0 : 1;
  Last = Id;
  return true;
}

void Outstanding::take(uint32_t Correlation) {
  Call New = {};
  RecordsOfCall Brings = RecordsOfCall::None;
  if (!Calls.find(Correlation, New.Made, nullptr, &Brings) ||
      Brings == RecordsOfCall::None)
    return;
  New.Correlation = Correlation;
  New.IsKernel = Brings == RecordsOfCall::Kernel;
  New.Several = Brings == RecordsOfCall::Several;
  New.ArrivalsBefore = Arrivals;
  Newest = Correlation;
  if (Open.size() - First >= MostOpen)
    ++First;
  if (!Open.push(New))
    return;
  // Threads record their calls slightly out of order.
  size_t At = Open.size() - 1;
  for (; At > First && Open[At - 1].Made.Start > New.Made.Start; --At)
    Open[At] = Open[At - 1];
  Open[At] = New;
}

bool Outstanding::mayStillCome(const Call &C, uint64_t OldestBuffer) const {
  if (C.HasArrived && !C.Several)
    return false;
  uint64_t Overtaken = Arrivals - C.ArrivalsBefore;
  bool MayBeInBuffer = C.Made.End == 0 || OldestBuffer <= C.Made.End;
  if (MayBeInBuffer)
    return Overtaken <= LongPatience;
  return !C.HasArrived && Overtaken <= Patience;
}

// Updates a call from the table of launches. False: no records will come from
// it.
bool Outstanding::update(Call &C) const {
  RecordsOfCall Brings = RecordsOfCall::None;
  Launch Made = {};
  if (Calls.find(C.Correlation, Made, nullptr, &Brings)) {
    if (Brings == RecordsOfCall::None)
      return false; // it failed, or was captured
    C.Made = Made;
  }
  C.HasArrived |=
      ArrivedIds != nullptr &&
      ArrivedIds[C.Correlation & (Launches::Size - 1)] == C.Correlation;
  return true;
}

bool Outstanding::isOver(Call &C, uint64_t OldestBuffer) const {
  return !update(C) || !mayStillCome(C, OldestBuffer);
}

// Whether a call stays in Open.
bool Outstanding::isOpen(Call &C, uint64_t OldestBuffer) {
  if (isOver(C, OldestBuffer))
    return false;
  auto Age = static_cast<int32_t>(Newest - C.Correlation);
  bool IsOld = Age > static_cast<int32_t>(Launches::Size / 2);
  return !IsOld || Old.size() >= MostOld || !Old.push(C);
}

void Outstanding::sweep(uint64_t OldestBuffer) {
  size_t Kept = 0;
  for (size_t I = First; I < Open.size(); ++I)
    if (isOpen(Open[I], OldestBuffer))
      Open[Kept++] = Open[I];
  while (Open.size() > Kept)
    Open.popBack();
  First = 0;
  LeftBySweep = Kept;
  NewestAtSweep = Newest;
}

void Outstanding::filterOld(uint64_t OldestBuffer) {
  size_t Kept = 0;
  for (Call &C : Old)
    if (!isOver(C, OldestBuffer))
      Old[Kept++] = C;
  while (Old.size() > Kept)
    Old.popBack();
}

uint64_t Outstanding::look(uint64_t Now, uint64_t OldestBuffer) {
  Calls.takeNew([this](uint32_t Correlation) { take(Correlation); });
  auto NewIds = static_cast<int32_t>(Newest - NewestAtSweep);
  if (Open.size() > 2 * LeftBySweep + Few ||
      NewIds > static_cast<int32_t>(Launches::Size / 4))
    sweep(OldestBuffer);
  while (First < Open.size() && !isOpen(Open[First], OldestBuffer))
    ++First;
  uint64_t Earliest = Now;
  if (First < Open.size() && Open[First].Made.Start < Earliest)
    Earliest = Open[First].Made.Start;
  filterOld(OldestBuffer);
  for (const Call &C : Old)
    if (C.Made.Start < Earliest)
      Earliest = C.Made.Start;
  return Earliest;
}

uint64_t Outstanding::missingKernels(uint64_t Before, uint64_t &Since) {
  uint64_t Missing = 0;
  auto Add = [&](Call C) {
    if (!update(C) || !C.IsKernel || C.HasArrived || C.Made.End == 0 ||
        C.Made.End > Before)
      return;
    Since = Missing++ == 0 || C.Made.Start < Since ? C.Made.Start : Since;
  };
  for (size_t I = First; I < Open.size(); ++I)
    Add(Open[I]);
  for (const Call &C : Old)
    Add(C);
  return Missing;
}

size_t Outstanding::size(uint64_t OldestBuffer) {
  sweep(OldestBuffer);
  filterOld(OldestBuffer);
  return Open.size() + Old.size();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches without their records.

#include "outstanding.h"

#include "core/system.h"

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
  New.Several = Brings == RecordsOfCall::Several;
  New.ArrivalsBefore = Arrivals;
  Open.push(New);
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

void Outstanding::filter(Array<Call> &Among, bool AreOld, uint64_t OldestBuffer,
                         uint64_t &Earliest) {
  size_t Kept = 0;
  for (Call &C : Among) {
    bool IsOld = AreOld;
    if (!AreOld) {
      RecordsOfCall Brings = RecordsOfCall::None;
      Launch Made = {};
      IsOld = !Calls.find(C.Correlation, Made, nullptr, &Brings);
      if (!IsOld && Brings == RecordsOfCall::None)
        continue; // it failed, or was captured
      if (!IsOld)
        C.Made = Made;
      C.HasArrived |=
          ArrivedIds != nullptr &&
          ArrivedIds[C.Correlation & (Launches::Size - 1)] == C.Correlation;
    }
    if (!mayStillCome(C, OldestBuffer))
      continue;
    if (C.Made.Start < Earliest)
      Earliest = C.Made.Start;
    if (IsOld != AreOld && Old.size() < MostOld && Old.push(C))
      continue;
    Among[Kept++] = C;
  }
  while (Among.size() > Kept)
    Among.popBack();
}

uint64_t Outstanding::look(uint64_t Now, uint64_t OldestBuffer) {
  Calls.takeNew([this](uint32_t Correlation) { take(Correlation); });
  uint64_t Earliest = Now;
  filter(Old, true, OldestBuffer, Earliest);
  filter(Open, false, OldestBuffer, Earliest);
  return Earliest;
}

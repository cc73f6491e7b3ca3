// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From processor times, faults and switches to uses.

#include "Analysis/Steps/HostUse.h"

#include "Analysis/Thresholds.h"

#include <algorithm>

using namespace loopscope;

namespace {
int64_t least(int64_t Ns) { return std::max<int64_t>(0, Ns); }

bool isMost(uint64_t Part, uint64_t Whole, double Most) {
  return Part > 0 &&
         static_cast<double>(Part) >= Most * static_cast<double>(Whole);
}

// Whether page faults take most of the processor time.
bool isFaulting(const CpuSums &S) {
  return S.MinorFaults > 0 && static_cast<double>(S.MinorFaults) *
                                      static_cast<double>(LongestFaultNs) >=
                                  static_cast<double>(S.CpuNs);
}

// Whether the thread never waited, so that any time off the processor was taken
// from it: by other threads, by its control group's limit, or by another
// virtual machine.
bool wasPushedOff(const CpuSums &S) {
  return S.VoluntarySwitches == 0 && S.InvoluntarySwitches > 0;
}

// Whether time off the processor is waiting, as far as that can be said without
// knowing the time on the run queue.
bool isOwnWaiting(const CpuSums &S) {
  return S.VoluntarySwitches > 0 &&
         static_cast<double>(S.InvoluntarySwitches) <=
             FewPushedOff * static_cast<double>(S.VoluntarySwitches);
}

// The part of WAITED nanoseconds of waiting in which other threads computed, if
// they did so evenly.
int64_t besideThreads(int64_t Waited, const CpuSums &S) {
  if (!S.hasStarved())
    return 0;
  return S.OthersNs >= S.StarvedOfNs
             ? Waited
             : static_cast<int64_t>(static_cast<double>(Waited) *
                                    (static_cast<double>(S.OthersNs) /
                                     static_cast<double>(S.StarvedOfNs)));
}
} // namespace

// What is in calls that wait for a device is on the processor or off it: only
// what exceeds SYNC certainly belongs to the rest.
HostUse loopscope::hostUseOf(int64_t All, int64_t Marked, int64_t Sync,
                             const CpuSums &S) {
  HostUse Use;
  int64_t Wall = least(All - Marked);
  int64_t Rest = least(Wall - Sync);
  int64_t Measured = std::min(Wall, S.MeasuredNs);
  if (Measured > 0) {
    int64_t Cpu = std::min(S.CpuNs, Measured);
    int64_t On = least(Cpu - Sync);
    int64_t Off = least(Measured - Cpu - Sync);
    (isFaulting(S) ? Use.Faulting : Use.Computing) = On;
    if (wasPushedOff(S))
      Use.Starved = Off;
    else if (S.hasStarved())
      Use.Starved = std::min(S.StarvedNs, Off);
    int64_t Waited = Off - Use.Starved;
    if (isMost(S.MajorFaults, S.VoluntarySwitches, MostlyPaging)) {
      Use.Faulting += S.hasStarved() || isOwnWaiting(S) ? Waited : 0;
    } else if (S.hasStarved() || isOwnWaiting(S)) {
      Use.Waiting = Waited;
      Use.BesideThreads = besideThreads(Waited, S);
      Use.MaybeReady = S.hasStarved() ? 0 : Waited;
    }
  }
  Use.Unknown = least(Rest - Use.known());
  Use.Waiting += Marked;
  return Use;
}

HostUse loopscope::pathUse(int64_t OwnNs, int64_t BlockedNs, bool IsWait,
                           const CpuSums &S) {
  int64_t Blocked = std::min(OwnNs, BlockedNs);
  return IsWait ? hostUseOf(OwnNs, least(OwnNs - Blocked), Blocked, {})
                : hostUseOf(OwnNs, 0, Blocked, S);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects and adds up the uses of phases.

#include "Analysis/Verdict/PhaseUses.h"

#include "Run/Model/Run.h"

#include <algorithm>

using namespace loopscope;

HostUse loopscope::hostUse(const PhaseTime &Of) {
  // Host collectives, which may run on threads of their own, count as
  // communication only.
  return Of.Communicates ? HostUse() : Of.HostUses;
}

int64_t loopscope::computingOf(const PhaseTime &P) {
  return hostUse(P).Computing;
}
int64_t loopscope::waitingAloneOf(const PhaseTime &P) {
  HostUse Use = hostUse(P);
  return Use.Waiting - Use.BesideThreads;
}
int64_t loopscope::markedWaitOf(const PhaseTime &P) {
  return std::min(waitingAloneOf(P), P.HostWaitNs);
}
int64_t loopscope::besideThreadsOf(const PhaseTime &P) {
  return hostUse(P).BesideThreads;
}
int64_t loopscope::maybeReadyOf(const PhaseTime &P) {
  return hostUse(P).MaybeReady;
}
int64_t loopscope::faultingOf(const PhaseTime &P) {
  return saturatingAdd(hostUse(P).Faulting, P.InputUses.Faulting);
}
int64_t loopscope::waitingOf(const PhaseTime &P) { return hostUse(P).Waiting; }
int64_t loopscope::starvedOf(const PhaseTime &P) {
  return saturatingAdd(hostUse(P).Starved, P.InputUses.Starved);
}

HostUse loopscope::inputUse(const StepTime &Of) {
  HostUse Sum;
  for (const PhaseTime &Each : Of.Phases)
    Sum.add(Each.InputUses);
  return Sum;
}

HostUse loopscope::hostUse(const StepTime &Of) {
  HostUse Sum;
  for (const PhaseTime &Each : Of.Phases)
    Sum.add(hostUse(Each));
  return Sum;
}

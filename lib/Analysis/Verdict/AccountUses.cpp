// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part's uses from those of its nodes' own time.

#include "Analysis/Verdict/AccountUses.h"

#include "Analysis/Steps/HostUse.h"
#include "Analysis/Steps/OwnCpu.h"
#include "Analysis/Steps/PhaseTimes.h"
#include "Run/Model/Stages.h"

#include <algorithm>
#include <numeric>

using namespace loopscope;

namespace {
int64_t &of(TimeUses &Uses, TimeUse Use) {
  return Uses[static_cast<size_t>(Use)];
}

// Takes NS from FROM, or what it has.
void take(int64_t Ns, int64_t &From) { From -= std::min(From, Ns); }

// Makes uses add up to NS. What nothing is known of comes and goes first.
void fit(int64_t Ns, TimeUses &To) {
  int64_t Sum =
      std::accumulate(To.begin(), To.end(), int64_t{0}, saturatingAdd);
  of(To, TimeUse::Unknown) += std::max<int64_t>(0, Ns - Sum);
  for (size_t Use = TimeUseCount; Sum > Ns && Use-- > 0;) {
    int64_t Excess = std::min(To[Use], Sum - Ns);
    To[Use] -= Excess;
    Sum -= Excess;
  }
}

// By node, whether it is an operator of communication or inside one.
std::vector<bool> inCommunication(const Run &R) {
  std::vector<bool> Result(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Result[I] =
        isExchange(R.useOf(N)) || (N.Parent != None && Result[N.Parent]);
  }
  return Result;
}

// USES of the own time of N without the time of hooks.
TimeUses withoutHooks(const Node &N, int64_t OwnNs, TimeUses Uses) {
  take(N.costNs(), of(Uses, TimeUse::Computing));
  take(N.HookNs - N.costNs(), of(Uses, TimeUse::Starved));
  fit(std::max<int64_t>(0, OwnNs - N.HookNs), Uses);
  return Uses;
}

TimeUses usesOfHost(const Node &N, int64_t OwnNs, const HostUse &Host) {
  TimeUses To{};
  of(To, TimeUse::Computing) = Host.Computing;
  of(To, TimeUse::Faulting) = Host.Faulting;
  of(To, TimeUse::Starved) = Host.Starved;
  of(To, TimeUse::OwnThreads) = Host.BesideThreads;
  of(To, TimeUse::Waiting) = Host.Waiting - Host.BesideThreads;
  of(To, TimeUse::Device) = OwnNs - Host.all();
  of(To, TimeUse::Unknown) = Host.Unknown;
  return withoutHooks(N, OwnNs, To);
}

class Splitter {
public:
  explicit Splitter(const Run &R)
      : R(R), Around(waitsAround(R)), Communicates(inCommunication(R)),
        Cpu(ownCpu(R, phaseNodes(R), inDraws(R))) {}

  std::vector<TimeUses> split(const std::vector<AccountPart> &Parts) const {
    std::vector<TimeUses> Result;
    for (const AccountPart &Each : Parts)
      Result.push_back(split(Each));
    return Result;
  }

private:
  TimeUses split(const AccountPart &Of) const {
    if (Of.Use == AccountUse::Profiler)
      return splitProfiler(Of);
    TimeUses To{};
    for (uint32_t I : Of.Nodes)
      // Of a draw, the last check alone is between steps; and nothing is
      // measured in excluded steps.
      if (Of.Use != AccountUse::Excluded &&
          (Of.Use != AccountUse::Between ||
           R.Nodes[I].Kind != LOOPSCOPE_KIND_DRAW))
        addUses(usesOf(I), To);
    fit(Of.Ns, To);
    return To;
  }

  // Those of a node's own time, without hooks.
  TimeUses usesOf(uint32_t I) const {
    if (!R.HostTimes.empty() && R.HostTimes[I].IsSum)
      return R.HostTimes[I].Uses;
    const Node &N = R.Nodes[I];
    int64_t Own = ownNs(R, I);
    if (Communicates[I] || Around[I] == LOOPSCOPE_KIND_COLLECTIVE) {
      TimeUses To{};
      of(To, TimeUse::Communicating) = Own;
      return withoutHooks(N, Own, To);
    }
    return usesOfHost(N, Own,
                      pathUse(Own, N.Calls.WaitNs,
                              Around[I] == LOOPSCOPE_KIND_WAIT, Cpu.Of[I]));
  }

  // Others had the processor in the middle of some readings.
  TimeUses splitProfiler(const AccountPart &Of) const {
    int64_t Interrupted = 0;
    for (uint32_t I : Of.Nodes)
      Interrupted =
          saturatingAdd(Interrupted, R.Nodes[I].HookNs - R.Nodes[I].costNs());
    TimeUses To{};
    of(To, TimeUse::Starved) = std::min(Interrupted, Of.Ns);
    of(To, TimeUse::Profiler) = Of.Ns - of(To, TimeUse::Starved);
    return To;
  }

  const Run &R;
  std::vector<loopscope_kind> Around;
  std::vector<bool> Communicates;
  OwnCpu Cpu;
};

bool isKnown(const std::vector<TimeUses> &Of) {
  return std::any_of(Of.begin(), Of.end(), [](const TimeUses &Each) {
    for (size_t Use = 0; Use < TimeUseCount; ++Use)
      if (Each[Use] != 0 && Use != static_cast<size_t>(TimeUse::Unknown) &&
          Use != static_cast<size_t>(TimeUse::Profiler))
        return true;
    return false;
  });
}
} // namespace

void loopscope::addUses(const TimeUses &From, TimeUses &To) {
  for (size_t Use = 0; Use < TimeUseCount; ++Use)
    To[Use] = saturatingAdd(To[Use], From[Use]);
}

AccountUses loopscope::accountUses(const Run &R, const Account &Of) {
  Splitter Split(R);
  AccountUses To;
  To.Outside = Split.split(Of.Outside);
  To.IsKnown = isKnown(To.Outside);
  for (const LoopAccount &Each : Of.Loops) {
    To.Loops.push_back(Split.split(Each.Parts));
    To.IsKnown |= isKnown(To.Loops.back());
  }
  return To;
}

std::vector<HostTime> loopscope::hostTimesOf(const Run &R) {
  OwnCpu Cpu = ownCpu(R, phaseNodes(R), inDraws(R));
  std::vector<HostTime> Result(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    HostTime &To = Result[I];
    To.OwnNs = ownNs(R, I);
    To.Cpu = Cpu.Of[I];
    To.StandsFor = Cpu.StandsFor[I];
    To.Use = pathUse(To.OwnNs, 0, /*IsWait=*/false, To.Cpu);
    To.Uses = usesOfHost(R.Nodes[I], To.OwnNs, To.Use);
  }
  return Result;
}

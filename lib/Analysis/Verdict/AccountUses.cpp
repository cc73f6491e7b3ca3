// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part's uses from those of its nodes' own time.

#include "Analysis/Verdict/AccountUses.h"

#include "Analysis/Steps/OwnCpu.h"
#include "Analysis/Steps/PhaseTimes.h"
#include "Analysis/Verdict/HostUse.h"
#include "Run/Model/Events.h"
#include "Run/Model/Stages.h"

#include <algorithm>

using namespace loopscope;

namespace {
int64_t &of(TimeUses &Uses, TimeUse Use) {
  return Uses[static_cast<size_t>(Use)];
}

// By node, whether it is waiting for data in a step of any loop.
std::vector<bool> inDraws(const Run &P) {
  std::vector<bool> Result(P.Nodes.size());
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    Result[I] =
        N.Parent != None &&
        (Result[N.Parent] || (N.Kind == LOOPSCOPE_KIND_DRAW &&
                              P.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP));
  }
  return Result;
}

// By node, whether it is an operator of communication or inside one.
std::vector<bool> inCommunication(const Run &P) {
  std::vector<bool> Result(P.Nodes.size());
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    Result[I] = isCommunicationOperator(P.nameOf(N)) ||
                (N.Parent != None && Result[N.Parent]);
  }
  return Result;
}

class Splitter {
public:
  explicit Splitter(const Run &P)
      : P(P), Around(waitsAround(P)), Communicates(inCommunication(P)),
        Cpu(ownCpu(P, phaseNodes(P), inDraws(P))) {}

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
    int64_t Communicating = 0, Marked = 0, Blocked = 0;
    CpuSums Sums;
    for (uint32_t I : Of.Nodes) {
      const Node &N = P.Nodes[I];
      // Of a draw, the last check alone is between steps.
      if (Of.Use == AccountUse::Between && N.Kind == LOOPSCOPE_KIND_DRAW)
        continue;
      int64_t Ns = std::max<int64_t>(0, ownNs(P, I));
      if (Communicates[I] || Around[I] == LOOPSCOPE_KIND_COLLECTIVE) {
        Communicating = saturatingAdd(Communicating, Ns);
      } else if (Around[I] == LOOPSCOPE_KIND_WAIT) {
        Marked = saturatingAdd(Marked, Ns);
      } else {
        Blocked = saturatingAdd(Blocked, std::min(Ns, N.Calls.WaitNs));
        Sums.add(Cpu.Of[I]);
      }
    }
    Communicating = std::min(Communicating, Of.Ns);
    int64_t Rest = Of.Ns - Communicating;
    HostUse Host = hostUseOf(Rest, std::min(Marked, Rest), Blocked, Sums);
    of(To, TimeUse::Computing) = Host.Computing;
    of(To, TimeUse::Faulting) = Host.Faulting;
    of(To, TimeUse::Starved) = Host.Starved;
    of(To, TimeUse::OwnThreads) = Host.BesideThreads;
    of(To, TimeUse::Waiting) = Host.Waiting - Host.BesideThreads;
    of(To, TimeUse::Device) = Rest - Host.all();
    of(To, TimeUse::Communicating) = Communicating;
    of(To, TimeUse::Unknown) = Host.Unknown;
    return To;
  }

  // Others had the processor in the middle of some readings.
  TimeUses splitProfiler(const AccountPart &Of) const {
    int64_t Interrupted = 0;
    for (uint32_t I : Of.Nodes)
      Interrupted =
          saturatingAdd(Interrupted, P.Nodes[I].HookNs - P.Nodes[I].costNs());
    TimeUses To{};
    of(To, TimeUse::Starved) = std::min(Interrupted, Of.Ns);
    of(To, TimeUse::Profiler) = Of.Ns - of(To, TimeUse::Starved);
    return To;
  }

  const Run &P;
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

AccountUses loopscope::accountUses(const Run &P, const Account &Of) {
  Splitter Split(P);
  AccountUses To;
  To.Outside = Split.split(Of.Outside);
  To.IsKnown = isKnown(To.Outside);
  for (const LoopAccount &Each : Of.Loops) {
    To.Loops.push_back(Split.split(Each.Parts));
    To.IsKnown |= isKnown(To.Loops.back());
  }
  return To;
}

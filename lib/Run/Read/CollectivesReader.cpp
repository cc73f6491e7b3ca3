// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of an instance.

#include "Run/Read/CollectivesReader.h"

#include <algorithm>
#include <cmath>

using namespace loopscope;

namespace {
// FLOAT as ticks; 0 if it isn't a number.
uint64_t ticksOf(float Float) {
  constexpr float Longest = 1e18F;
  return std::isfinite(Float) && Float > 0
             ? static_cast<uint64_t>(std::min(Float, Longest))
             : 0;
}

void readPeers(ProfileBytes &Records,
               const std::unordered_map<uint32_t, uint32_t> &NodeOf, Run &To) {
  for (const auto &Each : Records.peers()) {
    const loopscope_peer &P = Each.Value;
    if (P.role == 0 || P.calls == 0)
      continue;
    auto Found = NodeOf.find(P.node);
    if (Found == NodeOf.end() || P.role > LOOPSCOPE_PEER_ROOT) {
      ++To.Lost.BadRecords;
      continue;
    }
    To.Peers.push_back({Found->second, P.peer,
                        static_cast<loopscope_peer_role>(P.role), P.calls,
                        P.bytes});
  }
}

void readOwnSteps(ProfileBytes &Records, const Clock &Ticks,
                  const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                  Run &To) {
  for (const loopscope_own_step &S : Records.ownSteps(To.Lost.TornNodes)) {
    auto Found = NodeOf.find(S.node);
    if (Found == NodeOf.end() ||
        To.Nodes[Found->second].Kind != LOOPSCOPE_KIND_STEP || S.steps == 0 ||
        S.phase_count > LOOPSCOPE_COLLECTIVE_PHASES) {
      ++To.Lost.BadRecords;
      continue;
    }
    OwnStep Next;
    Next.Node = Found->second;
    Next.Number = S.step;
    Next.Steps = S.steps;
    Next.Ns = Ticks.toNs(S.ticks);
    Next.OwnNs = Ticks.toNs(S.own_ticks);
    for (uint32_t I = 0; I < S.phase_count; ++I) {
      auto Phase = NodeOf.find(S.phase_node[I]);
      if (Phase == NodeOf.end())
        continue;
      StepPhase Own;
      Own.Node = Phase->second;
      Own.Ns = Ticks.toNs(ticksOf(S.phase_ticks[I]));
      Own.CriticalNs =
          std::min(Own.Ns, Ticks.toNs(ticksOf(S.critical_ticks[I])));
      auto Met = NodeOf.find(S.met_node[I]);
      if (Met != NodeOf.end()) {
        Own.MetNode = Met->second;
        Own.MetNs = std::min(Own.Ns - Own.CriticalNs,
                             Ticks.toNs(ticksOf(S.met_ticks[I])));
      }
      Next.Phases.push_back(Own);
    }
    To.OwnSteps.push_back(std::move(Next));
  }
}
} // namespace

void loopscope::readCollectives(
    ProfileBytes &Records, const Clock &Ticks, const NamedSums &Sums,
    const std::unordered_map<uint32_t, uint32_t> &NodeOf, Run &To) {
  for (const NodeSum &Each : Sums.Nodes)
    if (Each.Key == LOOPSCOPE_SUM_COMM_BYTES &&
        Each.Unit == LOOPSCOPE_SUM_BYTES)
      To.Nodes[Each.Node].Bytes = Each.Sum;
    else if (Each.Key == LOOPSCOPE_SUM_COMM_ENQUEUED &&
             Each.Unit == LOOPSCOPE_SUM_BYTES) {
      To.Nodes[Each.Node].Bytes = Each.Sum;
      To.Nodes[Each.Node].IsEnqueued = true;
    } else if (Each.Key == LOOPSCOPE_SUM_COMM_ON_DEVICE &&
               Each.Unit == LOOPSCOPE_SUM_TICKS) {
      To.Nodes[Each.Node].OnDeviceCalls = Each.Count;
      To.Nodes[Each.Node].OnDeviceNs = Ticks.toNs(Each.Sum);
    } else if (Each.Key == LOOPSCOPE_SUM_COMM_REQUESTS &&
               Each.Unit == LOOPSCOPE_SUM_TICKS) {
      To.Nodes[Each.Node].Requests = Each.Count;
      To.Nodes[Each.Node].RequestNs = Ticks.toNs(Each.Sum);
    }
  readPeers(Records, NodeOf, To);
  readOwnSteps(Records, Ticks, NodeOf, To);
  uint64_t Start = Records.header().start_ticks;
  for (const loopscope_collective &C : Records.collectives(To.Lost.TornNodes)) {
    auto Found = NodeOf.find(C.node);
    bool KnowsPhases = C.phase_count <= LOOPSCOPE_COLLECTIVE_PHASES;
    if (Found == NodeOf.end() || C.enter_ticks < Start ||
        (To.Nodes[Found->second].Kind != LOOPSCOPE_KIND_COLLECTIVE &&
         (!To.Nodes[Found->second].IsEnqueued || C.operations == 0)) ||
        (!KnowsPhases && C.phase_count != LOOPSCOPE_NONE)) {
      ++To.Lost.BadRecords;
      continue;
    }
    CollectiveInstance Next;
    Next.Node = Found->second;
    Next.Number = C.number;
    Next.EnterNs = Ticks.toNs(C.enter_ticks - Start);
    Next.Ns = Ticks.toNs(C.ticks);
    Next.Bytes = C.bytes;
    Next.WorkNs = Ticks.toNs(C.work_ticks);
    Next.Step = C.step;
    Next.HasPhases = KnowsPhases;
    if (To.Nodes[Found->second].IsEnqueued) {
      Next.Ranks = C.ranks;
      Next.Rank = C.rank;
      Next.Operations = C.operations;
    }
    for (uint32_t I = 0; KnowsPhases && I < C.phase_count; ++I)
      if (auto Phase = NodeOf.find(C.phase_node[I]); Phase != NodeOf.end())
        Next.Phases.push_back(
            {Phase->second, Ticks.toNs(ticksOf(C.phase_ticks[I]))});
    To.Collectives.push_back(std::move(Next));
  }
}

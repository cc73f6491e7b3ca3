// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases of steps, from the tree's own times and from device work by the node
// that launched it.

#include "Analysis/Steps/PhaseTimes.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Steps/OwnCpu.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Tree/PathTree.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Run/Model/Intervals.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/Stages.h"

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
// What a node itself launched and waited for. Copies are those that none of its
// kernels overlaps.
struct NodeWork {
  int64_t BlockedNs = 0;
  int64_t KernelNs = 0;
  int64_t CopyNs = 0;
  int64_t CommunicationNs = 0;
};

// Unions cover all kernels. Kernels that don't communicate are assumed to run
// one after the other; what remains of the union is communication that nothing
// hides.
std::vector<NodeWork> workOfProfile(const Run &R) {
  std::vector<NodeWork> Work(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    Work[I].BlockedNs = R.Nodes[I].Calls.WaitNs;
  std::map<std::pair<uint32_t, uint32_t>, int64_t> Plain; // by node and device
  std::vector<bool> Communicates(R.Nodes.size());
  for (const GpuWork &W : R.Gpu.Work) {
    if (W.Node == None || W.Kind != LOOPSCOPE_GPU_KERNEL)
      continue;
    if (W.Communicates)
      Communicates[W.Node] = true;
    else
      addSaturating(Plain[{W.Node, W.Device}], W.SumNs);
  }
  for (const GpuNode &N : R.Gpu.Nodes) {
    if (N.Node == None)
      continue;
    int64_t Kernels = N.KernelNs;
    if (Communicates[N.Node])
      Kernels = std::min(Kernels, Plain[{N.Node, N.Device}]);
    addSaturating(Work[N.Node].KernelNs, Kernels);
    addSaturating(Work[N.Node].CommunicationNs, N.KernelNs - Kernels);
    addSaturating(Work[N.Node].CopyNs,
                  std::max<int64_t>(0, N.BusyNs - N.KernelNs));
  }
  return Work;
}

// By node, the one whose phase its device work counts in. Outside all phases of
// any thread, work is the main thread's, as in a tree that has no operators.
std::vector<uint32_t> chargedNodes(const Run &R) {
  std::vector<uint32_t> Result = phaseNodes(R);
  uint32_t Main = None;
  for (const Thread &Each : R.Threads)
    if (Each.IsMain)
      Main = Each.Root;
  for (uint32_t &Phase : Result)
    if (R.Nodes[Phase].Parent == None && Main != None)
      Phase = Main;
  return Result;
}

// By site, the first one that sentences call the same: graphs of torch.compile.
std::vector<uint32_t> sitesBySentence(const Run &R) {
  std::vector<uint32_t> Result(R.Sites.size());
  std::map<std::string, uint32_t> First;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    std::string Name = readableName(R.Sites[I].Name);
    Result[I] = Name == R.Sites[I].Name
                    ? I
                    : First.try_emplace(std::move(Name), I).first->second;
  }
  return Result;
}

bool isOnSameThread(const Run &R, uint32_t A, uint32_t B) {
  return R.Nodes[A].Thread == R.Nodes[B].Thread;
}

// The same unions as the runtime computes, per phase and device: operators in a
// phase, which not every tree of a trace has, mustn't count overlaps twice.
std::vector<NodeWork> workOfTrace(const Run &R) {
  struct Times {
    std::vector<Interval> Kernels, Communication, Copies;
  };
  const EventStream &Stream = R.Stream;
  std::vector<uint32_t> Charged = chargedNodes(R);
  std::vector<NodeWork> Work(R.Nodes.size());
  std::map<std::pair<uint32_t, int64_t>, Times> Of;
  for (size_t E = 0; E < Stream.Events.size(); ++E) {
    const TraceEvent &Event = Stream.Events[E];
    uint32_t Node = Stream.NodeOf[E];
    if (Node == None)
      continue;
    Interval Time = Event.time();
    if (Event.Use == EventUse::Block)
      addSaturating(
          Work[isOnSameThread(R, Charged[Node], Node) ? Node : Charged[Node]]
              .BlockedNs,
          Event.Duration);
    if (!isDeviceWork(Event.Kind))
      continue;
    Times &To = Of[{Charged[Node], Stream.Devices[Event.Device].Device}];
    (Event.Kind != TraceKind::Kernel   ? To.Copies
     : Event.Use == EventUse::Exchange ? To.Communication
                                       : To.Kernels)
        .push_back(Time);
  }
  for (auto &[Key, Each] : Of) {
    NodeWork &To = Work[Key.first];
    IntervalSet Kernels = unite(std::move(Each.Kernels));
    IntervalSet Communication =
        subtract(unite(std::move(Each.Communication)), Kernels);
    addSaturating(To.KernelNs, lengthOf(Kernels));
    addSaturating(To.CommunicationNs, lengthOf(Communication));
    addSaturating(
        To.CopyNs,
        lengthOf(subtract(subtract(unite(std::move(Each.Copies)), Kernels),
                          Communication)));
  }
  return Work;
}
} // namespace

std::vector<uint32_t> loopscope::phaseNodes(const Run &R) {
  std::vector<uint32_t> Result(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I)
    Result[I] = isFunction(R.Nodes[I].Kind) ? Result[R.Nodes[I].Parent] : I;
  return Result;
}

std::vector<bool> loopscope::inDraws(const Run &R) {
  std::vector<bool> Result(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Result[I] =
        N.Parent != None &&
        (Result[N.Parent] || (N.Kind == LOOPSCOPE_KIND_DRAW &&
                              R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP));
  }
  return Result;
}

std::vector<bool> loopscope::inWaits(const Run &R) {
  std::vector<bool> Result(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Result[I] =
        N.Kind == LOOPSCOPE_KIND_WAIT || (N.Parent != None && Result[N.Parent]);
  }
  return Result;
}

std::vector<loopscope_kind> loopscope::waitsAround(const Run &R) {
  std::vector<loopscope_kind> Result(R.Nodes.size(), LOOPSCOPE_KIND_ROOT);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent != None)
      Result[I] = Result[N.Parent];
    if (Result[I] == LOOPSCOPE_KIND_ROOT && isWaitOrCollective(N.Kind))
      Result[I] = isCommunication(R, N) ? LOOPSCOPE_KIND_COLLECTIVE : N.Kind;
  }
  return Result;
}

std::vector<StepPlace> loopscope::placesInSteps(const Run &R) {
  std::vector<StepPlace> Result(R.Nodes.size(), StepPlace::Outside);
  std::vector<uint32_t> Steps = outermostSteps(R);
  LoopNodes Loops = findLoops(R);
  for (uint32_t Step : Steps)
    Result[Step] = StepPlace::Step;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None) {
      if (Steps.empty() && R.Threads[N.Thread].IsMain)
        Result[I] = StepPlace::Step;
      continue;
    }
    bool IsLoopInside = Loops.Of[I] == I && !Steps.empty();
    if (Result[N.Parent] == StepPlace::Outside || IsLoopInside)
      continue;
    Result[I] = Result[N.Parent];
    if (N.Kind == LOOPSCOPE_KIND_DRAW &&
        R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP)
      Result[I] = StepPlace::Draw;
  }
  return Result;
}

std::vector<uint32_t> loopscope::outermostSteps(const Run &R) {
  bool HasTraining = hasTrainingSteps(R);
  std::vector<uint32_t> Result;
  std::vector<bool> InStep(R.Nodes.size());
  LoopNodes Loops = findLoops(R);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    bool IsStep =
        (HasTraining ? isTrainingStep(R, N) : N.Kind == LOOPSCOPE_KIND_STEP) &&
        !Loops.IsLeftOut[I];
    bool Around = N.Parent != None && InStep[N.Parent];
    InStep[I] = Around || IsStep;
    if (IsStep && !Around)
      Result.push_back(I);
  }
  return Result;
}

void loopscope::addPhase(const PhaseTime &From, std::vector<PhaseTime> &To) {
  auto At = std::find_if(To.begin(), To.end(), [&](const PhaseTime &Each) {
    return Each.Name == From.Name && Each.File == From.File &&
           Each.Line == From.Line;
  });
  if (At == To.end()) {
    To.push_back(From);
    return;
  }
  for (int64_t PhaseTime::*Ns :
       {&PhaseTime::InputNs, &PhaseTime::HostNs, &PhaseTime::BlockedNs,
        &PhaseTime::InputWaitNs, &PhaseTime::HostWaitNs, &PhaseTime::KernelNs,
        &PhaseTime::CopyNs, &PhaseTime::CommunicationNs})
    addSaturating((*At).*Ns, From.*Ns);
  addSaturating(At->HookNs, From.HookNs);
  At->Spans += From.Spans;
  At->InputCpu.add(From.InputCpu);
  At->HostCpu.add(From.HostCpu);
  At->InputUses.add(From.InputUses);
  At->HostUses.add(From.HostUses);
}

double loopscope::throttledPart(const Run &R) {
  std::vector<StepPlace> Places = placesInSteps(R);
  double Percent = 0;
  uint64_t Samples = 0;
  for (const MetricSum &Each : R.Devices.Sums) {
    if (!R.Devices.Metrics[Each.Metric].is(MetricId::CpuThrottledPercent) ||
        Each.Node == None || Places[Each.Node] == StepPlace::Outside)
      continue;
    Percent += Each.Sum;
    Samples += Each.Count;
  }
  // With several processors, it is the sum over them.
  return Samples == 0 ? -1
                      : std::clamp(Percent / 100 / static_cast<double>(Samples),
                                   0.0, 1.0);
}

std::vector<PhaseTime> loopscope::phaseTimes(const Run &R) {
  if (R.Stream.NodeOf.size() != R.Stream.Events.size())
    return {};
  std::vector<NodeWork> Work =
      R.By->KeepsEvents ? workOfTrace(R) : workOfProfile(R);
  std::vector<StepPlace> Places = placesInSteps(R);
  std::vector<bool> Waits = inWaits(R);
  std::vector<uint32_t> PhaseOf = phaseNodes(R);
  std::vector<uint32_t> SiteOf = sitesBySentence(R);
  std::vector<bool> IsDraw(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    IsDraw[I] = Places[I] == StepPlace::Draw;
  OwnCpu Cpu = ownCpu(R, PhaseOf, inDraws(R));
  std::map<std::pair<uint32_t, loopscope_kind>, PhaseTime> Found; // by site
  auto Row = [&](uint32_t I) -> PhaseTime & {
    const Node &Phase = R.Nodes[PhaseOf[I]];
    PhaseTime &To =
        Found[{Phase.Site == None ? None : SiteOf[Phase.Site], Phase.Kind}];
    // A loop that holds all steps is no place.
    if (To.Name.empty() && Phase.Parent != None &&
        Phase.Kind != LOOPSCOPE_KIND_TRAIN &&
        Phase.Kind != LOOPSCOPE_KIND_VALID) {
      To.Name = readableName(treeName(R, Phase));
      To.Communicates = isCommunication(R, Phase) || isExchange(R.useOf(Phase));
      if (Phase.Site != None) {
        To.File = R.Sites[Phase.Site].File;
        To.Line = R.Sites[Phase.Site].Line;
      }
    }
    return To;
  };
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    // A trace's collectives may run on threads of their own.
    const Node &Phase = R.Nodes[PhaseOf[I]];
    if (Places[I] == StepPlace::Outside &&
        (!isExchange(R.useOf(Phase)) || Phase.Kind == LOOPSCOPE_KIND_WAIT))
      continue;
    // A marked wait stays a wait whatever the processor did, and isn't another
    // phase's time.
    PhaseTime &OfTime = Row(Waits[I] ? I : Cpu.StandsFor[I]);
    addSaturating(IsDraw[I] ? OfTime.InputNs : OfTime.HostNs, ownNs(R, I));
    if (Waits[I] && IsDraw[I])
      addSaturating(OfTime.InputWaitNs, ownNs(R, I));
    else if (Waits[I])
      addSaturating(OfTime.HostWaitNs,
                    std::max<int64_t>(0, ownNs(R, I) - Work[I].BlockedNs));
    else
      (IsDraw[I] ? OfTime.InputCpu : OfTime.HostCpu).add(Cpu.Of[I]);
    (IsDraw[I] ? OfTime.InputUses : OfTime.HostUses)
        .add(!R.HostTimes.empty() && R.HostTimes[I].IsSum
                 ? R.HostTimes[I].Use
                 : pathUse(ownNs(R, I), IsDraw[I] ? 0 : Work[I].BlockedNs,
                           Waits[I], Cpu.Of[I]));
    addSaturating(OfTime.BlockedNs, Work[I].BlockedNs);
    addSaturating(OfTime.HookNs, R.Nodes[I].costNs());
    PhaseTime &To = Row(I);
    if (R.Nodes[I].Kind != LOOPSCOPE_KIND_STEP)
      To.Spans += R.Nodes[I].Spans.count();
    addSaturating(To.KernelNs, Work[I].KernelNs);
    addSaturating(To.CopyNs, Work[I].CopyNs);
    addSaturating(To.CommunicationNs, Work[I].CommunicationNs);
  }
  std::vector<PhaseTime> Result;
  for (auto &[Site, Each] : Found)
    Result.push_back(std::move(Each));
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the same figures in two ways: as sums over call paths, and by sweeps
// over events.

#include "Analysis/Steps/StepTime.h"

#include "Analysis/Steps/PhaseTimes.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Tree/GpuSums.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Run/Model/CallTree.h"
#include "Run/Model/Intervals.h"

#include <loopscope/named_losses.h>

#include <algorithm>
#include <map>
#include <set>

using namespace loopscope;

namespace {
// A duration that fits into int64_t; a hostile profile's may be longer.
constexpr double LongestNs = 9e18;

void addTo(int64_t &To, int64_t Ns) { To = saturatingAdd(To, Ns); }

int64_t times(int64_t Ns, double Factor) {
  return static_cast<int64_t>(
      std::min(static_cast<double>(Ns) * Factor, LongestNs));
}

int64_t sumOf(const std::vector<PhaseTime> &Phases, int64_t PhaseTime::*Ns) {
  int64_t Sum = 0;
  for (const PhaseTime &Each : Phases)
    addTo(Sum, Each.*Ns);
  return Sum;
}

// What events cover, by use.
struct Coverage {
  IntervalSet Input, Launch, Blocked, Other, HostCommunication;
  /// By track with steps: marked waits outside draws, and all waits with calls
  /// that wait for a device; in Times, the steps that they may be of.
  struct Waiting {
    IntervalSet Times, Waits, All;
  };
  std::vector<Waiting> Tracks;
  struct Device {
    IntervalSet Kernels, Communication, Copies;
  };
  std::map<int64_t, Device> Devices;
};

class Sweep {
public:
  Sweep(const EventStream &Stream, bool AllThreads)
      : Stream(Stream), Uses(Stream), HasSteps(Stream.Tracks.size()),
        Waits(Stream.Tracks.size()), Inputs(Stream.Tracks.size()),
        Waiting(Stream.Tracks.size()), StepTimes(Stream.Tracks.size()) {
    bool AnySteps = false;
    for (const TraceEvent &Event : Stream.Events) {
      if (Event.Kind == TraceKind::Step) {
        StepTimes[Event.Track].push_back({Event.Start, Event.end()});
        HasSteps[Event.Track] = AnySteps = true;
      }
      if (Event.ExternalId != 0 && isHostCommunication(Event))
        Ids.insert(Event.ExternalId);
    }
    if (!AnySteps)
      HasSteps = stepTracks(Stream);
    OnSteps =
        AllThreads ? std::vector<bool>(Stream.Tracks.size(), true) : HasSteps;
  }

  Coverage run() {
    for (const TraceEvent &Event : Stream.Events)
      add(Event);
    Coverage Out;
    Out.Input = unite(std::move(Input));
    Out.Launch = unite(std::move(Calls[0]));
    Out.Blocked = unite(std::move(Calls[1]));
    Out.Other = unite(std::move(Calls[2]));
    Out.HostCommunication = unite(std::move(HostCommunication));
    addTracks(Out);
    for (auto &[Id, D] : Devices)
      Out.Devices[Id] = {unite(std::move(D.Kernels)),
                         unite(std::move(D.Communication)),
                         unite(std::move(D.Copies))};
    return Out;
  }

private:
  void addTracks(Coverage &To) {
    auto Several = std::count(HasSteps.begin(), HasSteps.end(), true) > 1;
    for (size_t T = 0; T < HasSteps.size(); ++T) {
      if (!HasSteps[T])
        continue;
      Coverage::Waiting Next;
      if (Several)
        Next.Times = unite(std::move(StepTimes[T]));
      Next.Waits = subtract(unite(Waits[T]), unite(std::move(Inputs[T])));
      Waiting[T].insert(Waiting[T].end(), Waits[T].begin(), Waits[T].end());
      Next.All = unite(std::move(Waiting[T]));
      To.Tracks.push_back(std::move(Next));
    }
  }

  bool isHostCommunication(const TraceEvent &Event) const {
    return (Event.Kind == TraceKind::Operator ||
            Event.Kind == TraceKind::Python ||
            Event.Kind == TraceKind::Annotation) &&
           isCommunicationOperator(Stream.name(Event));
  }

  void add(const TraceEvent &Event) {
    Interval Time{Event.Start, Event.end()};
    if (isDeviceWork(Event.Kind)) {
      DeviceTimes &D = Devices[Stream.Devices[Event.Device].Device];
      if (Event.Kind != TraceKind::Kernel)
        D.Copies.push_back(Time);
      else if (isCommunicationKernel(Stream.name(Event)) ||
               Ids.count(Event.ExternalId) != 0)
        D.Communication.push_back(Time);
      else
        D.Kernels.push_back(Time);
    } else if (Event.Kind == TraceKind::Runtime) {
      if (!OnSteps[Event.Track])
        return;
      CallUse Use = Uses.of(Event);
      Calls[static_cast<size_t>(Use)].push_back(Time);
      if (Use == CallUse::Wait)
        Waiting[Event.Track].push_back(Time);
    } else if (Event.Kind == TraceKind::Annotation &&
               isWait(Stream.name(Event))) {
      Waits[Event.Track].push_back(Time);
    } else if (isHostCommunication(Event)) {
      HostCommunication.push_back(Time);
      if (isCollective(Stream.name(Event)))
        Waiting[Event.Track].push_back(Time);
    } else if ((Event.Kind == TraceKind::Operator ||
                Event.Kind == TraceKind::Python ||
                Event.Kind == TraceKind::Annotation) &&
               isDataLoader(Stream.name(Event))) {
      Input.push_back(Time);
      Inputs[Event.Track].push_back(Time);
    }
  }

  struct DeviceTimes {
    std::vector<Interval> Kernels, Communication, Copies;
  };

  const EventStream &Stream;
  CallUses Uses;
  // By track.
  std::vector<bool> HasSteps;
  std::vector<bool> OnSteps; // CUDA calls there hold up the steps
  std::vector<std::vector<Interval>> Waits; // marked
  std::vector<std::vector<Interval>> Inputs;
  std::vector<std::vector<Interval>> Waiting; // in calls, for a device
  std::vector<std::vector<Interval>> StepTimes;
  std::set<uint64_t> Ids; // External ids of communication
  std::vector<Interval> Input, HostCommunication;
  std::vector<Interval> Calls[3]; // by CallUse
  std::map<int64_t, DeviceTimes> Devices;
};

void addWaiting(const Coverage &Found, const IntervalSet &Steps, StepTime &To) {
  int64_t Waiting = 0;
  for (const Coverage::Waiting &Each : Found.Tracks) {
    IntervalSet Of = Each.Times.empty() ? Steps : intersect(Each.Times, Steps);
    addTo(To.WaitNs, lengthOf(intersect(Each.Waits, Of)));
    addTo(Waiting, lengthOf(intersect(Each.All, Of)));
  }
  To.UsefulNs = std::max<int64_t>(0, To.HostNs - Waiting);
}

void addDevices(const Coverage &Found, const IntervalSet &Steps, StepTime &To) {
  IntervalSet Input = intersect(Found.Input, Steps);
  if (Found.Devices.empty()) {
    To.DeviceNs = To.HostNs;
    To.CommunicationNs = lengthOf(intersect(Found.HostCommunication, Steps));
    To.InputIdleNs = lengthOf(Input);
  }
  for (const auto &[Id, D] : Found.Devices) {
    IntervalSet Kernels = intersect(D.Kernels, Steps);
    IntervalSet AllKernels = intersect(D.Communication, Steps);
    AllKernels.insert(AllKernels.end(), Kernels.begin(), Kernels.end());
    AllKernels = unite(std::move(AllKernels));
    IntervalSet Copies = subtract(intersect(D.Copies, Steps), AllKernels);
    IntervalSet Busy = AllKernels;
    Busy.insert(Busy.end(), Copies.begin(), Copies.end());
    Busy = unite(std::move(Busy));
    addTo(To.DeviceNs, To.HostNs);
    addTo(To.KernelNs, lengthOf(Kernels));
    addTo(To.CopyNs, lengthOf(Copies));
    addTo(To.CommunicationNs, lengthOf(subtract(AllKernels, Kernels)));
    addTo(To.CommunicationNs,
          lengthOf(subtract(intersect(Found.HostCommunication, Steps), Busy)));
    addTo(To.InputIdleNs, lengthOf(subtract(Input, Busy)));
  }
}

// Why phases of P lack processor times, if they do.
MissingCpu missingCpu(const Run &P) {
  if (P.isTrace())
    return MissingCpu::Trace;
  if (P.Lost.named(LOOPSCOPE_COUNT_NO_CPU_CLOCK) != 0)
    return MissingCpu::Refused;
  bool IsRead = std::any_of(P.Nodes.begin(), P.Nodes.end(),
                            [](const Node &N) { return N.Cpu.MeasuredNs > 0; });
  return IsRead ? MissingCpu::Short : MissingCpu::NotRead;
}

void addKernelFacts(const Run &P, StepTime &To) {
  To.NoCpu = missingCpu(P);
  if (double Part = throttledPart(P); Part >= 0)
    To.ThrottledNs = times(To.HostNs, Part);
}
} // namespace

int64_t StepTime::idleNs() const {
  int64_t Busy = saturatingAdd(saturatingAdd(KernelNs, CopyNs),
                               HasGpu ? CommunicationNs : 0);
  return std::max<int64_t>(0, DeviceNs - Busy);
}

// The time in spans of KIND at TOP and below; nested ones count once.
static int64_t timeIn(const Run &P, uint32_t Top, loopscope_kind Kind) {
  int64_t Sum = 0;
  std::vector<uint32_t> Next = {Top};
  while (!Next.empty()) {
    const Node &N = P.Nodes[Next.back()];
    Next.pop_back();
    if (N.Kind == Kind)
      addTo(Sum, N.InclusiveNs);
    else
      Next.insert(Next.end(), N.Children.begin(), N.Children.end());
  }
  return Sum;
}

StepTime loopscope::stepTimeOfSums(const Run &P) {
  StepTime To;
  To.HasWaits = std::any_of(P.Nodes.begin(), P.Nodes.end(), [](const Node &N) {
    return N.Kind == LOOPSCOPE_KIND_WAIT;
  });
  std::vector<int64_t> Waiting = waitingTimes(P);
  int64_t WaitingNs = 0;
  GpuByNode Gpu(P);
  To.HasGpu = Gpu.hasData();
  GpuSums Sums;
  std::set<uint32_t> Threads;
  for (uint32_t Step : outermostSteps(P)) {
    To.HasSteps = true;
    Threads.insert(P.Nodes[Step].Thread);
    addTo(To.HostNs, P.Nodes[Step].InclusiveNs);
    addTo(WaitingNs, Waiting[Step]);
    for (uint32_t Child : P.Nodes[Step].Children)
      if (P.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
        addTo(To.InputNs, P.Nodes[Child].InclusiveNs);
      else
        addTo(To.WaitNs, timeIn(P, Child, LOOPSCOPE_KIND_WAIT));
    Sums.add(Gpu.inclusive(Step));
  }
  if (!To.HasSteps)
    for (uint32_t T = 0; T < P.Threads.size(); ++T)
      if (P.Threads[T].IsMain && P.Threads[T].Root != None) {
        Threads.insert(T);
        addTo(To.HostNs, P.Threads[T].LifetimeNs);
        addTo(WaitingNs, Waiting[P.Threads[T].Root]);
        addTo(To.WaitNs, timeIn(P, P.Threads[T].Root, LOOPSCOPE_KIND_WAIT));
        Sums.add(Gpu.inclusive(P.Threads[T].Root));
      }
  // Without loops, devices worked for the run, whoever launched the work.
  GpuSums Work = To.HasSteps ? Sums : Gpu.unlaunched();
  if (!To.HasSteps)
    for (const Thread &T : P.Threads)
      if (T.Root != None)
        Work.add(Gpu.inclusive(T.Root));
  To.UsefulNs = std::max<int64_t>(0, To.HostNs - WaitingNs);
  To.LaunchNs = Sums.Calls.LaunchNs;
  To.BlockedNs = Sums.Calls.WaitNs;
  To.OtherNs = Sums.Calls.OtherNs;
  To.Phases = phaseTimes(P);
  addKernelFacts(P, To);
  int64_t Kernels = Gpu.kernelNs(Work);
  To.CopyNs = std::max<int64_t>(0, Gpu.busyNs(Work) - Kernels);
  // Capped at the time of all kernels, because work of different phases may
  // overlap.
  To.CommunicationNs =
      std::min(Kernels, sumOf(To.Phases, &PhaseTime::CommunicationNs));
  To.KernelNs = Kernels - To.CommunicationNs;
  // Sums don't show what a device did meanwhile.
  if (!To.HasGpu)
    for (uint32_t Step : outermostSteps(P))
      addTo(To.CommunicationNs, timeIn(P, Step, LOOPSCOPE_KIND_COLLECTIVE));
  To.HasCommunication = To.CommunicationNs > 0;
  // An average thread's steps, for each device that worked. Without devices,
  // all parts are shares of the host's time.
  auto Devices = std::count_if(P.Gpu.Devices.begin(), P.Gpu.Devices.end(),
                               [](const GpuDevice &D) { return D.BusyNs > 0; });
  double Share = (!To.HasGpu && Devices == 0) || Threads.empty()
                     ? 1
                     : static_cast<double>(std::max<ptrdiff_t>(Devices, 1)) /
                           static_cast<double>(Threads.size());
  To.DeviceNs = times(To.HostNs, Share);
  To.InputIdleNs = std::min(times(To.InputNs, Share), To.idleNs());
  for (const GpuWork &W : P.Gpu.Work)
    if (W.Kind == LOOPSCOPE_GPU_KERNEL && W.Node != None) {
      To.Kernels += W.Count - W.NoTime;
      To.ShortKernels += W.Shorter;
    }
  return To;
}

StepTime loopscope::stepTimeOfEvents(const Run &Of, const EventStream &Stream,
                                     const StepAnalysis &Steps) {
  StepTime To;
  To.IsExact = true;
  To.HasSteps = !Steps.NoStepMarks;
  To.HasGpu = Steps.UsesGpu;
  To.HasCommunication = Steps.HasCommunication;
  To.HasWaits = Steps.HasWaits;
  To.Kernels = Steps.LaunchedKernels;
  To.ShortKernels = Steps.ShortKernels;
  std::vector<Interval> Ranges;
  std::set<uint32_t> Tracks;
  for (const TraceStep &Step : Steps.Steps) {
    Ranges.push_back(Step.Time);
    Tracks.insert(Step.Track);
    addTo(To.HostNs, Step.ns());
  }
  IntervalSet All = unite(std::move(Ranges));
  for (const auto &[Track, Cuts] : cutsByTrack(Stream))
    if (Tracks.count(Track) != 0)
      All = subtract(All, Cuts);
  // PyTorch's backward pass launches from its own thread while the loop's
  // thread waits for it; our own runs launch where the steps are.
  bool IsOurs = !Of.isTrace() || isOwnExport(Stream);
  Coverage Found = Sweep(Stream, Steps.NoStepMarks || !IsOurs).run();
  To.InputNs = lengthOf(intersect(Found.Input, All));
  To.LaunchNs = lengthOf(intersect(Found.Launch, All));
  To.BlockedNs = lengthOf(intersect(Found.Blocked, All));
  To.OtherNs = lengthOf(intersect(Found.Other, All));
  addWaiting(Found, All, To);
  addDevices(Found, All, To);
  To.Phases = phaseTimes(Of);
  addKernelFacts(Of, To);
  return To;
}

void loopscope::addStepTime(const StepTime &From, StepTime &To) {
  To.HasSteps |= From.HasSteps;
  To.HasGpu |= From.HasGpu;
  To.HasCommunication |= From.HasCommunication;
  To.HasWaits |= From.HasWaits;
  To.IsExact |= From.IsExact;
  for (int64_t StepTime::*Ns :
       {&StepTime::HostNs, &StepTime::InputNs, &StepTime::LaunchNs,
        &StepTime::BlockedNs, &StepTime::OtherNs, &StepTime::DeviceNs,
        &StepTime::KernelNs, &StepTime::CopyNs, &StepTime::CommunicationNs,
        &StepTime::InputIdleNs, &StepTime::WaitNs, &StepTime::UsefulNs})
    addTo(To.*Ns, From.*Ns);
  To.NoCpu = std::max(To.NoCpu, From.NoCpu);
  if (From.ThrottledNs >= 0)
    To.ThrottledNs =
        saturatingAdd(std::max<int64_t>(0, To.ThrottledNs), From.ThrottledNs);
  To.Kernels += From.Kernels;
  To.ShortKernels += From.ShortKernels;
  for (const PhaseTime &Each : From.Phases)
    addPhase(Each, To.Phases);
}

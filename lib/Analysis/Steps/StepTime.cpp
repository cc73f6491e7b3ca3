// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the same figures in two ways: as sums over call paths, and by sweeps
// over events.

#include "Analysis/Steps/StepTime.h"

#include "Analysis/Steps/OwnCpu.h"
#include "Analysis/Steps/PhaseTimes.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/GpuSums.h"
#include "Analysis/Tree/UsefulTime.h"
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

std::string doubtOf(const Contradictions &In) {
  auto IsTooMuch = [](auto Part, auto Whole, double Most) {
    return static_cast<double>(Part) > Most * static_cast<double>(Whole);
  };
  if (IsTooMuch(In.Launches, In.OfLaunches, ContradictedLaunches))
    return "the trace contradicts itself in over a tenth of its launches";
  if (IsTooMuch(In.Ns, In.OfNs, ContradictedTime))
    return "the trace contradicts itself in over a twentieth of the devices' "
           "time";
  return {};
}

// What events cover, by use.
struct Coverage {
  // What the host did, for the steps in Times; of all steps if there is one.
  struct Host {
    uint32_t Track = 0;
    IntervalSet Times;
    IntervalSet Input, Launch, Blocked, Other;
    /// Marked waits outside draws; and all waits, draws, collectives and calls
    /// that wait for a device.
    IntervalSet Waits, Useless;
  };
  std::vector<Host> Hosts;
  IntervalSet Communication; ///< of the host, on any thread
  /// Without devices: operators of the steps' threads, but for their waits.
  IntervalSet Computation;
  struct Device {
    IntervalSet Kernels, Communication, Copies;
  };
  std::map<int64_t, Device> Devices;
};

class Sweep {
public:
  // ALL_THREADS: calls and data loading on any thread hold up the steps.
  Sweep(const EventStream &Stream, bool AllThreads)
      : Stream(Stream), Uses(Stream), AllThreads(AllThreads),
        HasSteps(stepTracks(Stream)), Tracks(Stream.Tracks.size()) {
    for (const TraceEvent &Event : Stream.Events) {
      HasDevices |= isDeviceWork(Event.Kind);
      if (Event.Kind == TraceKind::Step)
        Tracks[Event.Track].Steps.push_back(Event.time());
    }
  }

  Coverage run() {
    for (const TraceEvent &Event : Stream.Events)
      add(Event);
    Coverage Out;
    bool Several = std::count(HasSteps.begin(), HasSteps.end(), true) > 1;
    std::vector<Interval> Computation;
    for (size_t T = 0; T < HasSteps.size(); ++T)
      if (HasSteps[T]) {
        IntervalSet Own = computationOf(Tracks[T]);
        Computation.insert(Computation.end(), Own.begin(), Own.end());
      }
    Out.Computation = unite(std::move(Computation));
    for (size_t T = 0; T < HasSteps.size(); ++T)
      if (HasSteps[T])
        Out.Hosts.push_back(hostOf(T, Several));
    Out.Communication = unite(std::move(HostCommunication));
    for (auto &[Id, D] : Devices)
      Out.Devices[Id] = {unite(std::move(D.Kernels)),
                         unite(std::move(D.Communication)),
                         unite(std::move(D.Copies))};
    return Out;
  }

private:
  // What one track did.
  struct TrackTimes {
    std::vector<Interval> Steps, Input, Waits;
    std::vector<Interval> Operators, Exchanges; // the latter also asked for
    std::vector<Interval> Calls[3];             // by CallUse
    std::vector<Interval> Waiting; // in calls, for a device; collectives
  };

  // TIMES of track T, and what other tracks without steps did.
  template <typename Member> IntervalSet timesOf(size_t T, Member Of) {
    std::vector<Interval> Times = Of(Tracks[T]);
    for (size_t Other = 0; AllThreads && Other < Tracks.size(); ++Other)
      if (!HasSteps[Other]) {
        const std::vector<Interval> &More = Of(Tracks[Other]);
        Times.insert(Times.end(), More.begin(), More.end());
      }
    return unite(std::move(Times));
  }

  static IntervalSet computationOf(const TrackTimes &Of) {
    std::vector<Interval> Others = Of.Exchanges;
    Others.insert(Others.end(), Of.Waits.begin(), Of.Waits.end());
    Others.insert(Others.end(), Of.Waiting.begin(), Of.Waiting.end());
    return subtract(unite(Of.Operators), unite(std::move(Others)));
  }

  Coverage::Host hostOf(size_t T, bool Several) {
    Coverage::Host Out;
    TrackTimes &Of = Tracks[T];
    Out.Track = static_cast<uint32_t>(T);
    if (Several)
      Out.Times = unite(Of.Steps);
    Out.Input = timesOf(T, [](const TrackTimes &Each) { return Each.Input; });
    IntervalSet *Calls[] = {&Out.Launch, &Out.Blocked, &Out.Other};
    for (size_t Use = 0; Use < 3; ++Use)
      *Calls[Use] =
          timesOf(T, [Use](const TrackTimes &Each) { return Each.Calls[Use]; });
    Out.Waits = subtract(unite(Of.Waits), unite(Of.Input));
    Of.Waiting.insert(Of.Waiting.end(), Of.Waits.begin(), Of.Waits.end());
    Of.Waiting.insert(Of.Waiting.end(), Out.Input.begin(), Out.Input.end());
    Out.Useless = unite(std::move(Of.Waiting));
    return Out;
  }

  static bool isHostCommunication(const TraceEvent &Event) {
    return isMarkedCall(Event.Kind) && Event.Use == EventUse::Exchange;
  }

  void add(const TraceEvent &Event) {
    Interval Time = Event.time();
    TrackTimes &Track = Tracks[Event.Track];
    if (isDeviceWork(Event.Kind)) {
      DeviceTimes &D = Devices[Stream.Devices[Event.Device].Device];
      if (Event.Kind != TraceKind::Kernel)
        D.Copies.push_back(Time);
      else if (Event.Use == EventUse::Exchange)
        D.Communication.push_back(Time);
      else
        D.Kernels.push_back(Time);
    } else if (Event.Kind == TraceKind::Runtime) {
      CallUse Use = Uses.of(Event);
      Track.Calls[static_cast<size_t>(Use)].push_back(Time);
      if (Use == CallUse::Wait)
        Track.Waiting.push_back(Time);
    } else if (Event.StandsFor == LOOPSCOPE_KIND_WAIT) {
      Track.Waits.push_back(Time);
    } else if (isHostCommunication(Event)) {
      HostCommunication.push_back(Time);
      Track.Exchanges.push_back(Time);
      if (Event.StandsFor == LOOPSCOPE_KIND_COLLECTIVE)
        Track.Waiting.push_back(Time);
    } else if (Event.Use == EventUse::Load) {
      Track.Input.push_back(Time);
    } else if (Event.Use == EventUse::AsksForExchange) {
      Track.Exchanges.push_back(Time);
    } else if (Event.Kind == TraceKind::Operator && !HasDevices) {
      Track.Operators.push_back(Time);
    }
  }

  struct DeviceTimes {
    std::vector<Interval> Kernels, Communication, Copies;
  };

  const EventStream &Stream;
  CallUses Uses;
  bool AllThreads;
  bool HasDevices = false;
  std::vector<bool> HasSteps; // by track
  std::vector<TrackTimes> Tracks;
  std::vector<Interval> HostCommunication;
  std::map<int64_t, DeviceTimes> Devices;
};

// Returns the times of the steps in which they wait for data, of several
// threads one after another. CUTS, by track, aren't theirs.
std::vector<IntervalSet> addHosts(const Coverage &Found,
                                  const IntervalSet &Steps,
                                  std::map<uint32_t, IntervalSet> &Cuts,
                                  StepTime &To) {
  int64_t Useless = 0;
  std::vector<IntervalSet> Inputs;
  for (const Coverage::Host &Each : Found.Hosts) {
    IntervalSet Of = Each.Times.empty() ? Steps : intersect(Each.Times, Steps);
    Of = subtract(Of, Cuts[Each.Track]);
    Inputs.push_back(intersect(Each.Input, Of));
    addTo(To.InputNs, lengthOf(Inputs.back()));
    addTo(To.LaunchNs, lengthOf(intersect(Each.Launch, Of)));
    addTo(To.BlockedNs, lengthOf(intersect(Each.Blocked, Of)));
    addTo(To.OtherNs, lengthOf(intersect(Each.Other, Of)));
    addTo(To.WaitNs, lengthOf(intersect(Each.Waits, Of)));
    addTo(Useless, lengthOf(intersect(Each.Useless, Of)));
  }
  To.UsefulNs = std::max<int64_t>(0, To.HostNs - Useless);
  return Inputs;
}

void addDevices(const Coverage &Found, const IntervalSet &Steps,
                const std::vector<IntervalSet> &Inputs, StepTime &To) {
  if (Found.Devices.empty()) {
    To.DeviceNs = To.HostNs;
    // Communication on another thread holds up no step that computes.
    IntervalSet All = intersect(Found.Communication, Steps);
    To.CommunicationNs = lengthOf(subtract(All, Found.Computation));
    To.HiddenNs = lengthOf(All) - To.CommunicationNs;
    To.InputIdleNs = To.InputNs;
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
          lengthOf(subtract(intersect(Found.Communication, Steps), Busy)));
    for (const IntervalSet &Input : Inputs)
      addTo(To.InputIdleNs, lengthOf(subtract(Input, Busy)));
  }
}

// Why phases of P lack processor times, if they do.
MissingCpu missingCpu(const Run &P) {
  if (!P.By->ReadsMachine)
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

bool StepTime::hasShortDraws() const {
  return Steps != 0 && InputNs > 0 &&
         static_cast<double>(InputNs) <
             static_cast<double>(ShortestDrawNs) * static_cast<double>(Steps);
}

const char *StepTime::inputWords() const {
  return hasShortDraws() ? "in draws" : "waiting for data";
}

const char *StepTime::communicationWords() const {
  return HasGpu          ? "communication not overlapped by kernels or copies"
         : HiddenNs != 0 ? "communication not overlapped by operators"
                         : "communication";
}

namespace {
// The time of the nodes in the steps, or of the main threads.
struct InSteps {
  uint64_t Steps = 0;
  int64_t HostNs = 0, InputNs = 0;
  int64_t UselessNs = 0;    // see UsefulTime.h
  int64_t WaitNs = 0;       // marked, outside draws
  int64_t CollectiveNs = 0; // of the host
  GpuSums Gpu;
  std::set<uint32_t> Threads;
};

// Adds up each node's own time, so that loops inside steps are left out.
InSteps sumSteps(const Run &P, const GpuByNode &Gpu) {
  InSteps Sum;
  std::vector<StepPlace> Places = placesInSteps(P);
  std::vector<loopscope_kind> Around = waitsAround(P);
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    if (Places[I] == StepPlace::Outside)
      continue;
    int64_t Ns = ownNs(P, I);
    if (N.Parent == None)
      addTo(Ns, std::max<int64_t>(0, P.Threads[N.Thread].LifetimeNs -
                                         N.InclusiveNs));
    if (N.Kind == LOOPSCOPE_KIND_STEP)
      Sum.Steps += N.Spans.count();
    Sum.Threads.insert(N.Thread);
    Sum.Gpu.add(Gpu.own(I));
    addTo(Sum.HostNs, Ns);
    bool IsInput = Places[I] == StepPlace::Draw;
    if (IsInput)
      addTo(Sum.InputNs, Ns);
    if (Around[I] == LOOPSCOPE_KIND_WAIT && !IsInput)
      addTo(Sum.WaitNs, Ns);
    if (Around[I] == LOOPSCOPE_KIND_COLLECTIVE)
      addTo(Sum.CollectiveNs, Ns);
    addTo(Sum.UselessNs, Around[I] != LOOPSCOPE_KIND_ROOT || IsInput
                             ? Ns
                             : std::min(Ns, N.Calls.WaitNs));
  }
  return Sum;
}
} // namespace

StepTime loopscope::stepTimeOfSums(const Run &P) {
  StepTime To;
  To.HasWaits = std::any_of(P.Nodes.begin(), P.Nodes.end(), [](const Node &N) {
    return N.Kind == LOOPSCOPE_KIND_WAIT;
  });
  To.HasSteps = !outermostSteps(P).empty();
  GpuByNode Gpu(P);
  To.HasGpu = Gpu.hasData();
  InSteps Of = sumSteps(P, Gpu);
  To.Steps = To.HasSteps ? Of.Steps : 0;
  To.HostNs = Of.HostNs;
  To.InputNs = Of.InputNs;
  To.WaitNs = Of.WaitNs;
  const GpuSums &Sums = Of.Gpu;
  const std::set<uint32_t> &Threads = Of.Threads;
  To.Threads = std::max<uint64_t>(1, Threads.size());
  // Without loops, devices worked for the run, whoever launched the work.
  GpuSums Work = To.HasSteps ? Sums : Gpu.unlaunched();
  if (!To.HasSteps)
    for (const Thread &T : P.Threads)
      if (T.Root != None)
        Work.add(Gpu.inclusive(T.Root));
  To.UsefulNs = std::max<int64_t>(0, To.HostNs - Of.UselessNs);
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
  if (!To.HasGpu && To.HasSteps)
    addTo(To.CommunicationNs, Of.CollectiveNs);
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
  To.Doubt = doubtOf(Of.Lost.Wrong);
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
  To.Steps = To.HasSteps ? Steps.Steps.size() : 0;
  To.Threads = std::max<uint64_t>(1, Tracks.size());
  IntervalSet All = unite(std::move(Ranges));
  std::map<uint32_t, IntervalSet> Cuts = cutsByTrack(Stream);
  Coverage Found =
      Sweep(Stream, Steps.NoStepMarks || !Stream.ThreadsAreApart).run();
  std::vector<IntervalSet> Inputs = addHosts(Found, All, Cuts, To);
  for (const auto &[Track, Of] : Cuts)
    if (Tracks.count(Track) != 0)
      All = subtract(All, Of);
  addDevices(Found, All, Inputs, To);
  To.Phases = phaseTimes(Of);
  addKernelFacts(Of, To);
  return To;
}

void loopscope::addStepTime(const StepTime &From, StepTime &To) {
  if (To.Doubt.empty())
    To.Doubt = From.Doubt;
  To.HasSteps |= From.HasSteps;
  To.HasGpu |= From.HasGpu;
  To.HasCommunication |= From.HasCommunication;
  To.HasWaits |= From.HasWaits;
  To.IsExact |= From.IsExact;
  To.Steps += From.Steps;
  To.Threads = std::max(To.Threads, From.Threads);
  for (int64_t StepTime::*Ns :
       {&StepTime::HostNs, &StepTime::InputNs, &StepTime::LaunchNs,
        &StepTime::BlockedNs, &StepTime::OtherNs, &StepTime::DeviceNs,
        &StepTime::KernelNs, &StepTime::CopyNs, &StepTime::CommunicationNs,
        &StepTime::HiddenNs, &StepTime::InputIdleNs, &StepTime::WaitNs,
        &StepTime::UsefulNs})
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

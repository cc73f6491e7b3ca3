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
#include <initializer_list>
#include <map>
#include <set>

using namespace loopscope;

namespace {
// A duration that fits into int64_t; a hostile profile's may be longer.
constexpr double LongestNs = 9e18;

int64_t times(int64_t Ns, double Factor) {
  return static_cast<int64_t>(
      std::min(static_cast<double>(Ns) * Factor, LongestNs));
}

int64_t sumOf(const std::vector<PhaseTime> &Phases, int64_t PhaseTime::*Ns) {
  int64_t Sum = 0;
  for (const PhaseTime &Each : Phases)
    addSaturating(Sum, Each.*Ns);
  return Sum;
}

// What any of the given times covers.
IntervalSet
uniteAll(std::initializer_list<const std::vector<Interval> *> Parts) {
  std::vector<Interval> All;
  for (const std::vector<Interval> *Each : Parts)
    All.insert(All.end(), Each->begin(), Each->end());
  return unite(std::move(All));
}

// Returns the times of the steps in which they wait for data, of several
// threads one after another. CUTS, by track, aren't theirs.
std::vector<IntervalSet> addHosts(const RoleCoverage &Found,
                                  const IntervalSet &Steps,
                                  std::map<uint32_t, IntervalSet> &Cuts,
                                  StepTime &To) {
  int64_t Useless = 0;
  std::vector<IntervalSet> Inputs;
  for (uint32_t T : Found.stepTracks()) {
    const HostTimes &Own = Found.Hosts[T];
    IntervalSet Of =
        subtract(Found.isByTrack() ? intersect(unite(Own.Steps), Steps) : Steps,
                 Cuts[T]);
    auto Add = [&](int64_t &To, const IntervalSet &Times) {
      addSaturating(To, lengthOf(intersect(Times, Of)));
    };
    IntervalSet Input = Found.of(T, &HostTimes::Input);
    Inputs.push_back(intersect(Input, Of));
    addSaturating(To.InputNs, lengthOf(Inputs.back()));
    Add(To.LaunchNs, Found.of(T, &HostTimes::Launch));
    Add(To.BlockedNs, Found.of(T, &HostTimes::Blocked));
    Add(To.OtherNs, Found.of(T, &HostTimes::OtherCalls));
    // Marked waits outside draws; and all waits.
    Add(To.WaitNs, subtract(unite(Own.Waits), unite(Own.Input)));
    Add(Useless,
        uniteAll({&Own.Blocked, &Own.Collectives, &Own.Waits, &Input}));
  }
  To.UsefulNs = std::max<int64_t>(0, To.HostNs - Useless);
  return Inputs;
}

// What operators of the steps' threads compute: not while they wait.
IntervalSet computation(const RoleCoverage &Found) {
  IntervalSet All;
  for (uint32_t T : Found.stepTracks()) {
    const HostTimes &Own = Found.Hosts[T];
    IntervalSet Computes =
        subtract(unite(Own.Execution),
                 uniteAll({&Own.Exchanges, &Own.Waits, &Own.Blocked}));
    All = uniteAll({&All, &Computes});
  }
  return All;
}

void addDevices(const RoleCoverage &Found, const IntervalSet &Steps,
                const std::vector<IntervalSet> &Inputs, StepTime &To) {
  IntervalSet Exchanged = intersect(unite(Found.HostCommunication), Steps);
  if (Found.Devices.empty()) {
    To.DeviceNs = To.HostNs;
    // Communication on another thread holds up no step that computes.
    To.CommunicationNs = lengthOf(subtract(Exchanged, computation(Found)));
    To.HiddenNs = lengthOf(Exchanged) - To.CommunicationNs;
    To.InputIdleNs = To.InputNs;
  }
  for (const auto &[Id, D] : Found.Devices) {
    IntervalSet Kernels = intersect(unite(D.Kernels), Steps);
    IntervalSet AllKernels =
        intersect(uniteAll({&D.Kernels, &D.Exchanges}), Steps);
    IntervalSet Copies =
        subtract(intersect(uniteAll({&D.Copies, &D.Sets}), Steps), AllKernels);
    IntervalSet Busy = uniteAll({&AllKernels, &Copies});
    addSaturating(To.DeviceNs, To.HostNs);
    addSaturating(To.KernelNs, lengthOf(Kernels));
    addSaturating(To.CopyNs, lengthOf(Copies));
    addSaturating(To.CommunicationNs, lengthOf(subtract(AllKernels, Kernels)));
    addSaturating(To.CommunicationNs, lengthOf(subtract(Exchanged, Busy)));
    for (const IntervalSet &Input : Inputs)
      addSaturating(To.InputIdleNs, lengthOf(subtract(Input, Busy)));
  }
}

// Why phases of R lack processor times, if they do.
MissingCpu missingCpu(const Run &R) {
  if (!R.By->ReadsMachine)
    return MissingCpu::Trace;
  if (R.Lost.named(LOOPSCOPE_COUNT_NO_CPU_CLOCK) != 0)
    return MissingCpu::Refused;
  bool IsRead = std::any_of(R.Nodes.begin(), R.Nodes.end(),
                            [](const Node &N) { return N.Cpu.MeasuredNs > 0; });
  return IsRead ? MissingCpu::Short : MissingCpu::NotRead;
}

void addKernelFacts(const Run &R, StepTime &To) {
  To.NoCpu = missingCpu(R);
  if (double Part = throttledPart(R); Part >= 0)
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
InSteps sumSteps(const Run &R, const GpuByNode &Gpu) {
  InSteps Sum;
  std::vector<StepPlace> Places = placesInSteps(R);
  std::vector<loopscope_kind> Around = waitsAround(R);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (Places[I] == StepPlace::Outside)
      continue;
    int64_t Ns = ownNs(R, I);
    if (N.Parent == None)
      addSaturating(Ns, std::max<int64_t>(0, R.Threads[N.Thread].LifetimeNs -
                                                 N.InclusiveNs));
    if (N.Kind == LOOPSCOPE_KIND_STEP)
      Sum.Steps += N.Spans.count();
    Sum.Threads.insert(N.Thread);
    Sum.Gpu.add(Gpu.own(I));
    addSaturating(Sum.HostNs, Ns);
    bool IsInput = Places[I] == StepPlace::Draw;
    if (IsInput)
      addSaturating(Sum.InputNs, Ns);
    if (Around[I] == LOOPSCOPE_KIND_WAIT && !IsInput)
      addSaturating(Sum.WaitNs, Ns);
    if (Around[I] == LOOPSCOPE_KIND_COLLECTIVE)
      addSaturating(Sum.CollectiveNs, Ns);
    addSaturating(Sum.UselessNs, Around[I] != LOOPSCOPE_KIND_ROOT || IsInput
                                     ? Ns
                                     : std::min(Ns, N.Calls.WaitNs));
  }
  return Sum;
}
} // namespace

StepTime loopscope::stepTimeOfSums(const Run &R) {
  StepTime To;
  To.HasWaits = std::any_of(R.Nodes.begin(), R.Nodes.end(), [](const Node &N) {
    return N.Kind == LOOPSCOPE_KIND_WAIT;
  });
  To.HasSteps = !outermostSteps(R).empty();
  GpuByNode Gpu(R);
  To.HasGpu = Gpu.hasData();
  InSteps Of = sumSteps(R, Gpu);
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
    for (const Thread &T : R.Threads)
      if (T.Root != None)
        Work.add(Gpu.inclusive(T.Root));
  To.UsefulNs = std::max<int64_t>(0, To.HostNs - Of.UselessNs);
  To.LaunchNs = Sums.Calls.LaunchNs;
  To.BlockedNs = Sums.Calls.WaitNs;
  To.OtherNs = Sums.Calls.OtherNs;
  To.Phases = phaseTimes(R);
  addKernelFacts(R, To);
  int64_t Kernels = Gpu.kernelNs(Work);
  To.CopyNs = std::max<int64_t>(0, Gpu.busyNs(Work) - Kernels);
  // Capped at the time of all kernels, because work of different phases may
  // overlap.
  To.CommunicationNs =
      std::min(Kernels, sumOf(To.Phases, &PhaseTime::CommunicationNs));
  To.KernelNs = Kernels - To.CommunicationNs;
  // Sums don't show what a device did meanwhile.
  if (!To.HasGpu && To.HasSteps)
    addSaturating(To.CommunicationNs, Of.CollectiveNs);
  To.HasCommunication = To.CommunicationNs > 0;
  // An average thread's steps, for each device that worked. Without devices,
  // all parts are shares of the host's time.
  auto Devices = std::count_if(R.Gpu.Devices.begin(), R.Gpu.Devices.end(),
                               [](const GpuDevice &D) { return D.BusyNs > 0; });
  double Share = (!To.HasGpu && Devices == 0) || Threads.empty()
                     ? 1
                     : static_cast<double>(std::max<ptrdiff_t>(Devices, 1)) /
                           static_cast<double>(Threads.size());
  To.DeviceNs = times(To.HostNs, Share);
  To.InputIdleNs = std::min(times(To.InputNs, Share), To.idleNs());
  for (const GpuWork &W : R.Gpu.Work)
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
    addSaturating(To.HostNs, Step.ns());
  }
  To.Steps = To.HasSteps ? Steps.Steps.size() : 0;
  To.Threads = std::max<uint64_t>(1, Tracks.size());
  IntervalSet All = unite(std::move(Ranges));
  std::map<uint32_t, IntervalSet> Cuts = cutsByTrack(Stream);
  // Calls and data loading on any thread hold up the steps.
  RoleCoverage Found(Stream, stepTracks(Stream),
                     Steps.NoStepMarks || !Stream.ThreadsAreApart);
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
    addSaturating(To.*Ns, From.*Ns);
  To.NoCpu = std::max(To.NoCpu, From.NoCpu);
  if (From.ThrottledNs >= 0)
    To.ThrottledNs =
        saturatingAdd(std::max<int64_t>(0, To.ThrottledNs), From.ThrottledNs);
  To.Kernels += From.Kernels;
  To.ShortKernels += From.ShortKernels;
  for (const PhaseTime &Each : From.Phases)
    addPhase(Each, To.Phases);
}

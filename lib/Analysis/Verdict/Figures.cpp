// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures of one run, from its events or from its sums.

#include "Analysis/Verdict/Figures.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Steps/TimelineEvents.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Analysis/Verdict/Judge.h"
#include "Run/Model/HostCalls.h"
#include "Run/Model/Intervals.h"
#include "Run/Model/LaunchLinks.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

using namespace loopscope;

namespace {
double share(double Part, int64_t Whole) {
  return Whole > 0 ? std::min(1.0, Part / static_cast<double>(Whole)) : 0;
}

// How busy each device was between its first work and its last.
std::vector<GpuUse> gpuUse(const Run &R) {
  std::vector<GpuUse> Result;
  for (uint32_t I = 0; I < R.Gpu.Devices.size(); ++I) {
    const GpuDevice &D = R.Gpu.Devices[I];
    if (D.spanNs() == 0)
      continue;
    GpuUse Use;
    Use.Device = deviceNumber(R, I);
    Use.Utilization = share(static_cast<double>(D.KernelNs), D.spanNs());
    double Known = 0, Occupied = 0;
    for (const GpuWork &W : R.Gpu.Work)
      if (W.Device == I) {
        Known += W.OccupancyKnownNs;
        Occupied += W.OccupancyNs;
      }
    if (D.Multiprocessors > 0)
      Use.SmEfficiency = share(D.MultiprocessorNs, D.spanNs());
    if (Known > 0)
      Use.Occupancy = Occupied / Known * 100;
    for (const GpuWork &W : R.Gpu.Work)
      if (W.Device == I && W.Function != LOOPSCOPE_NONE)
        Use.abstainFor(R.Gpu.Functions[W.Function]);
    Result.push_back(Use);
  }
  return Result;
}

// Whether steps of several processes ran at the same time, so that one
// process's time can't be split by what all of them did.
bool isMerged(const Run &R) {
  return !R.Threads.empty() && !R.Threads.front().Process.empty();
}

bool hasSteps(const Run &R) {
  if (isMerged(R))
    return false;
  for (const std::vector<TimelineSpan> &Track : R.Timeline)
    for (const TimelineSpan &Span : Track)
      if (Span.Step >= 0)
        return true;
  return false;
}

// Whether the timeline has finished steps that no warm-up leaves out.
bool holdsCountedStep(const Run &R) {
  LoopNodes Loops = findLoops(R);
  for (const std::vector<TimelineSpan> &Track : R.Timeline)
    for (size_t I : stepsOf(R, Track))
      if (!Track[I].Open && !Loops.IsLeftOut[Track[I].Node])
        return true;
  return false;
}

// Why the timeline of R, which has steps, doesn't cover the whole run; empty if
// it does.
std::string missingOf(const Run &R) {
  uint64_t Steps = 0, Work = 0;
  for (const Node &N : R.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP)
      Steps += N.Spans.count() + N.Open;
  for (const GpuWork &W : R.Gpu.Work)
    Work += W.Count - W.NoTime;
  uint64_t HeldSteps = 0, OpenSteps = 0;
  int64_t StepsNs = 0, OpenNs = 0;
  for (const std::vector<TimelineSpan> &Track : R.Timeline)
    for (size_t I : stepsOf(R, Track)) {
      int64_t Ns = Track[I].EndNs - Track[I].StartNs;
      ++HeldSteps;
      StepsNs = saturatingAdd(StepsNs, Ns);
      OpenSteps += Track[I].Open;
      OpenNs = saturatingAdd(OpenNs, Track[I].Open ? Ns : 0);
    }
  auto HeldWork = static_cast<uint64_t>(
      std::count_if(R.Gpu.Events.begin(), R.Gpu.Events.end(),
                    [](const GpuEvent &E) { return E.isDeviceWork(); }));
  constexpr const char *Rest = "the verdict uses the sums of the whole run.";
  if (HeldSteps < Steps)
    return fmt::format("The timeline holds {} of {} steps: {}", HeldSteps,
                       Steps, Rest);
  // Steps by role are finished ones.
  if (part(OpenNs, StepsNs) >= WorthAWarning)
    return fmt::format("{} hadn't ended, with {} of the steps' time: {}",
                       counted(OpenSteps, "step"),
                       percent(part(OpenNs, StepsNs)), Rest);
  if (HeldWork < Work)
    return fmt::format("The timeline holds {} of {} pieces of device work: {}",
                       HeldWork, Work, Rest);
  return {};
}

// Fills in a profile's steps by role and where their time went, from the
// timeline if it has steps, else from the sums.
void addSteps(const Run &R, StepLimits Limits, Figures &To) {
  To.HasSteps = hasSteps(R);
  if (To.HasSteps) {
    EventStream Events = eventsOf(
        R, holdsCountedStep(R) ? StepsAsEvents::Counted : StepsAsEvents::All);
    To.Steps = analyzeSteps(Events, LaunchLinks(Events), Limits);
    To.StepsNote = missingOf(R);
    To.Time = To.StepsNote.empty() ? stepTimeOfEvents(R, Events, To.Steps)
                                   : stepTimeOfSums(R);
    return;
  }
  To.Time = stepTimeOfSums(R);
  To.Steps.Gpus = gpuUse(R);
  To.Steps.UsesGpu = To.Time->HasGpu;
  To.StepsNote =
      R.Mode != LOOPSCOPE_MODE_TRACE
          ? "LOOPSCOPE=trace gives the split by step."
      : isMerged(R)
          ? "The split by step covers one process only: leave out --merge."
          : "The timeline holds no step, so there is no split "
            "by step.";
}

// Events nest, so the sum of self times is how long their tracks were busy.
// Calls of the runtime are included, unless the trace has them on tracks of
// their own. PyTorch's table has no self time for collectives that it doesn't
// wait for, nor for Python functions.
int64_t selfHostTime(const EventStream &Trace,
                     const std::vector<FrameTime> &InFrames) {
  std::vector<std::vector<Interval>> Busy(Trace.Tracks.size());
  std::vector<bool> IsHost(Trace.Tracks.size());
  for (const TraceEvent &Event : Trace.Events) {
    bool OnHost = (isMarkedCall(Event.Kind) || Event.Kind == TraceKind::Step) &&
                  (Event.Kind != TraceKind::Annotation ||
                   Event.StandsFor == LOOPSCOPE_KIND_COLLECTIVE ||
                   Event.Use != EventUse::Exchange);
    if (OnHost || Event.Kind == TraceKind::Runtime)
      Busy[Event.Track].push_back(Event.time());
    if (OnHost)
      IsHost[Event.Track] = true;
  }
  int64_t Sum = 0;
  for (size_t T = 0; T < Busy.size(); ++T)
    if (IsHost[T])
      for (const Interval &Each : unite(std::move(Busy[T])))
        Sum = saturatingAdd(Sum, Each.End - Each.Start);
  for (const FrameTime &Each : InFrames)
    if (IsHost[Trace.Events[Each.Event].Track])
      Sum -= Each.Ns;
  return Sum;
}

OperatorsBy operatorsBy(const FigureParts &Wanted) {
  return Wanted.ByPhase   ? OperatorsBy::Phase
         : Wanted.ByShape ? OperatorsBy::Shape
                          : OperatorsBy::Name;
}

// Why no verdict may rest on a trace whose steps take STEPSNS; empty: one may.
std::string doubtOf(const Contradictions &In, int64_t StepsNs) {
  auto IsTooMuch = [](auto Part, auto Whole, double Most) {
    return static_cast<double>(Part) > Most * static_cast<double>(Whole);
  };
  if (IsTooMuch(In.Launches, In.OfLaunches, ContradictedLaunches))
    return "the trace contradicts itself in over a tenth of its launches";
  if (IsTooMuch(In.Ns, In.OfNs, ContradictedTime))
    return "the trace contradicts itself in over a twentieth of the devices' "
           "time";
  if (IsTooMuch(In.Events, In.OfEvents, ContradictedEvents))
    return "over a tenth of the trace's events have no time, or a negative one";
  if (IsTooMuch(In.CutNs, StepsNs, ContradictedCalls))
    return "the trace contradicts itself in over a twentieth of the steps' "
           "time, by calls that overlap without nesting";
  return {};
}

void addOfTrace(const Run &Trace, const FigureParts &Wanted, Figures &To) {
  const EventStream &Stream = Trace.Stream;
  To.About.EventCount = Stream.Events.size();
  To.HasSteps = true;
  std::shared_ptr<const LaunchLinks> Known = Stream.Links;
  if (!Known)
    Known = std::make_shared<LaunchLinks>(Stream);
  const LaunchLinks &Links = *Known;
  std::vector<FrameTime> InFrames;
  if (Wanted.SelfHostTime)
    InFrames = frameTimes(Stream);
  HostCalls Calls =
      buildHostCalls(Stream, Links, CallKinds::Operators, InFrames);
  To.About.Lost.OverlappingEvents = Calls.Overlapping;
  // A tree of phases alone has less to cut.
  int64_t &CutNs = To.About.Lost.Wrong.CutNs;
  CutNs = std::max(CutNs, Calls.CutNs);
  To.About.Lost.HostCuts.add(Calls.Cuts);
  To.UnownedDeviceTime = Calls.UnownedDeviceTime;
  To.HasCudaCalls = !Links.runtimes().empty();
  if (Wanted.SelfHostTime)
    To.SelfHostTime = selfHostTime(Stream, InFrames);
  if (Wanted.Operators) {
    To.Operators = addUpOperators(Trace, Calls, operatorsBy(Wanted));
    // Without record_shapes, some versions write empty lists.
    To.HasInputs = std::any_of(
        Trace.Inputs.begin(), Trace.Inputs.end(),
        [](const OperatorInputs &Each) { return Each.Shapes != "[]"; });
  }
  if (Wanted.Kernels)
    To.Kernels =
        Wanted.ByPhase ? addUpKernelsByPhase(Trace) : addUpKernels(Stream);
  if (Wanted.Steps)
    To.Steps = analyzeSteps(Stream, Links, Wanted.Limits);
  if (Wanted.Steps && Wanted.Time) {
    To.Time = stepTimeOfEvents(Trace, Stream, To.Steps);
    To.Time->Doubt = doubtOf(To.About.Lost.Wrong, To.Time->HostNs);
  }
}

void addOfProfile(const Run &R, const FigureParts &Wanted, Figures &To) {
  To.About.Properties = deviceProperties(R);
  To.About.PeakMemory = peakMemory(R);
  To.GpuNote = R.Gpu.Note;
  if (Wanted.Operators) {
    To.Operators = addUpOperators(R, operatorsBy(Wanted));
    To.HasOperators = hasOperators(R);
    To.HasInputs = !R.Inputs.empty();
    To.UnownedDeviceTime = unownedDeviceTime(R);
  }
  if (Wanted.Kernels) {
    To.Kernels = addUpKernels(R, Wanted.ByPhase);
    To.Copies = addUpCopies(R, Wanted.ByPhase);
    To.Memory = addUpMemory(R, Wanted.ByPhase);
  }
  if (Wanted.Steps)
    addSteps(R, Wanted.Limits, To);
  if (Wanted.Steps && Wanted.Time) {
    Account All = accountOf(R);
    To.OutsideNote = outsideNote(R, All);
    To.FirstSteps = firstDrawsOf(All);
    To.UnevenSteps = unevenStepsNotes(R, All);
  }
}
} // namespace

Figures loopscope::figuresOf(const Run &Of, const FigureParts &Wanted) {
  Figures Out;
  Out.About = Of; // all but the facets
  if (Of.By->KeepsEvents)
    addOfTrace(Of, Wanted, Out);
  else
    addOfProfile(Of, Wanted, Out);
  if (Wanted.Held)
    Out.Held = memoryOfSteps(Of, Out.Steps);
  Out.Held.IsMerged = isMerged(Of);
  return Out;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps, roles and GPU use; every part is a sweep over sorted events.

#include "Analysis/Steps/TraceSteps.h"

#include "Run/Model/Run.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>

namespace loopscope {
namespace {

// The last step is left out when it has fewer device events than this share of
// the step before: the profiler stopped before the device was done.
constexpr double LeastShareOfLastStep = 0.8;

using EventsOfKind = std::vector<const TraceEvent *>;

/// Whether EVENT is a call of the host's tree, whose threads live from their
/// first call to the end of the last.
bool isHostCall(const TraceEvent &Event) {
  return isMarkedCall(Event.Kind) || Event.Kind == TraceKind::Step ||
         Event.Kind == TraceKind::Function;
}

constexpr Interval NoTime{std::numeric_limits<int64_t>::max(),
                          std::numeric_limits<int64_t>::min()};

void extend(Interval &Life, const TraceEvent &By) {
  Life.Start = std::min(Life.Start, By.Start);
  Life.End = std::max(Life.End, By.end());
}

bool isLonger(const Interval &A, const Interval &B) {
  return A.Start <= A.End &&
         (B.Start > B.End || A.End - A.Start > B.End - B.Start);
}

/// The lives of the host's threads, by track; NoTime for others.
std::vector<Interval> hostLives(const EventStream &Trace) {
  std::vector<Interval> Lives(Trace.Tracks.size(), NoTime);
  for (const TraceEvent &Event : Trace.Events)
    if (isHostCall(Event))
      extend(Lives[Event.Track], Event);
  return Lives;
}

/// Steps as the host saw them, by start.
std::vector<TraceStep> hostSteps(const EventStream &Trace) {
  auto IsStep = [](const TraceEvent &Event) {
    return Event.Kind == TraceKind::Step;
  };
  std::vector<TraceStep> Steps;
  Steps.reserve(static_cast<size_t>(
      std::count_if(Trace.Events.begin(), Trace.Events.end(), IsStep)));
  for (const TraceEvent &Event : Trace.Events) {
    if (!IsStep(Event))
      continue;
    TraceStep Step;
    Step.Name = stepNumber(Trace.name(Event));
    Step.Host = Step.Time = Event.time();
    Step.Track = Event.Track;
    Steps.push_back(std::move(Step));
  }
  auto IsEarlier = [](const TraceStep &A, const TraceStep &B) {
    return A.Time.Start < B.Time.Start;
  };
  // Those of one thread are in order; sorting takes as much memory again.
  if (!std::is_sorted(Steps.begin(), Steps.end(), IsEarlier))
    std::stable_sort(Steps.begin(), Steps.end(), IsEarlier);
  return Steps;
}

/// The whole run as step 0: the life of the longest thread of the host, which
/// is the run's wall time, or all events where there is no host call.
TraceStep wholeRun(const EventStream &Trace) {
  TraceStep Step;
  Step.Name = "0";
  Interval All = NoTime;
  for (const Interval &Life : hostLives(Trace))
    if (isLonger(Life, All))
      All = Life;
  if (All.Start > All.End)
    for (const TraceEvent &Event : Trace.Events)
      extend(All, Event);
  if (All.Start <= All.End)
    Step.Host = Step.Time = All;
  return Step;
}

/// Span of the device work of one step; Start > End: none.
struct DeviceSpan {
  int64_t Start = std::numeric_limits<int64_t>::max();
  int64_t End = std::numeric_limits<int64_t>::min();
};

/// Finds the device work that the runtime calls wholly inside each step
/// launched, and fills in TraceStep::DeviceEvents.
class DeviceMatch {
public:
  DeviceMatch(const EventStream &Trace, const LaunchLinks &Links,
              std::vector<TraceStep> &Steps)
      : Spans(Steps.size()), Matched(Trace.Events.size(), false) {
    std::vector<uint32_t> Order(Links.runtimes().size());
    for (uint32_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    auto Call = [&](uint32_t I) -> const TraceEvent & {
      return Trace.Events[Links.runtimes()[I]];
    };
    std::stable_sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
      return Call(A).Start < Call(B).Start;
    });
    size_t S = 0;
    for (uint32_t I : Order) {
      const TraceEvent &Runtime = Call(I);
      while (S < Steps.size() && Runtime.Start >= Steps[S].Host.End &&
             Runtime.end() > Steps[S].Host.End)
        ++S;
      if (S == Steps.size())
        break;
      if (Runtime.Start < Steps[S].Host.Start ||
          Runtime.end() > Steps[S].Host.End)
        continue;
      for (uint32_t E : Links.launchedBy(I)) {
        const TraceEvent &Work = Trace.Events[E];
        Spans[S].Start = std::min(Spans[S].Start, Work.Start);
        Spans[S].End = std::max(Spans[S].End, Work.end());
        Matched[E] = true;
        Any = true;
        ++Steps[S].DeviceEvents;
      }
    }
  }

  std::vector<DeviceSpan> Spans;
  std::vector<bool> Matched; // by event
  bool Any = false;
};

/// Moves the steps' limits to the device's side: a step begins when the work of
/// the one before is done, the first when what came before it is.
void moveSteps(const EventStream &Trace, const DeviceMatch &Match,
               std::vector<TraceStep> &Steps) {
  int64_t Previous = Steps.front().Time.Start;
  const DeviceSpan &First = Match.Spans.front();
  if (First.Start <= First.End)
    for (size_t E = 0; E < Trace.Events.size(); ++E) {
      const TraceEvent &Event = Trace.Events[E];
      if (isDeviceWork(Event.Kind) && !Match.Matched[E] &&
          Event.end() < First.Start)
        Previous = std::max(Previous, Event.end());
    }
  for (size_t S = 0; S < Steps.size(); ++S) {
    Interval &Time = Steps[S].Time;
    Time.Start = std::max(Previous, Time.Start);
    if (Match.Spans[S].Start <= Match.Spans[S].End)
      Time.End = std::max(Time.End, Match.Spans[S].End);
    Time.End = std::max(Time.End, Time.Start);
    Previous = Time.End;
  }
}

/// Drops the last steps that lack their device work.
void dropSteps(StepAnalysis &Out) {
  std::vector<TraceStep> &Steps = Out.Steps;
  size_t Kept = Steps.size();
  while (Kept > 0 && Steps[Kept - 1].DeviceEvents == 0)
    --Kept;
  if (Kept > 1 &&
      static_cast<double>(Steps[Kept - 2].DeviceEvents) * LeastShareOfLastStep >
          static_cast<double>(Steps[Kept - 1].DeviceEvents))
    --Kept;
  Out.DroppedSteps = Steps.size() - Kept;
  Steps.resize(Kept);
}

void setLimits(const EventStream &Trace, const DeviceMatch &Match,
               StepLimits Limits, StepAnalysis &Out) {
  if (!Match.Any)
    return;
  if (Limits == StepLimits::DeviceWork)
    moveSteps(Trace, Match, Out.Steps);
  dropSteps(Out);
  for (size_t S = 0; S < Out.Steps.size(); ++S)
    if (Out.Steps[S].DeviceEvents != 0)
      Out.LateNs =
          std::max(Out.LateNs, Match.Spans[S].End - Out.Steps.back().Time.End);
}

// Splits STEPS, without what of them is in CUTS.
void splitByRole(const RoleSets &Covered, const IntervalSet &Cuts,
                 const std::vector<TraceStep *> &Steps) {
  std::vector<Interval> Times;
  size_t Hint = 0;
  for (TraceStep *Step : Steps) {
    Times.push_back(Step->Time);
    Step->CutNs = lengthWithin(Cuts, Step->Time, Hint);
  }
  IntervalSet Free = subtract(unite(std::move(Times)), Cuts);
  for (size_t R = 0; R < RoleCount; ++R) {
    IntervalSet Taken = R < Covered.size() ? intersect(Free, Covered[R]) : Free;
    Hint = 0;
    for (TraceStep *Step : Steps)
      Step->Roles[R] = lengthWithin(Taken, Step->Time, Hint);
    if (R < Covered.size())
      Free = subtract(Free, Taken);
  }
}

// A cut is in the steps of its own track alone.
void splitByRole(const RoleCoverage &Covered, const EventStream &Trace,
                 StepAnalysis &Out) {
  std::map<uint32_t, IntervalSet> Cuts = cutsByTrack(Trace);
  bool ByTrack = Covered.isByTrack() || !Cuts.empty();
  std::map<uint32_t, std::vector<TraceStep *>> Steps;
  for (TraceStep &Step : Out.Steps)
    Steps[ByTrack ? Step.Track : 0].push_back(&Step);
  for (const auto &[Track, Of] : Steps)
    splitByRole(Covered.of(Track), Cuts[Track], Of);
}

/// Integral over Span of min(sum of concurrent blocks per SM, 1), ns.
double busyMultiprocessors(const EventStream &Trace,
                           const EventsOfKind &Kernels, Interval Span) {
  struct Change {
    int64_t Time;
    double Blocks;
  };
  std::vector<Change> Changes;
  for (const TraceEvent *Kernel : Kernels) {
    double Blocks = Trace.Devices[Kernel->Device].BlocksPerSm;
    Interval Time{std::max(Kernel->Start, Span.Start),
                  std::min(Kernel->end(), Span.End)};
    if (Blocks <= 0 || Time.Start >= Time.End)
      continue;
    Changes.push_back({Time.Start, Blocks});
    Changes.push_back({Time.End, -Blocks});
  }
  std::sort(Changes.begin(), Changes.end(),
            [](const Change &A, const Change &B) { return A.Time < B.Time; });
  double Sum = 0;
  double Level = 0;
  size_t Running = 0;
  for (size_t I = 0; I < Changes.size(); ++I) {
    if (Changes[I].Blocks > 0)
      ++Running;
    else
      --Running;
    // Zero again exactly when nothing runs, whatever the rounding was.
    Level = Running == 0 ? 0 : Level + Changes[I].Blocks;
    if (I + 1 < Changes.size())
      Sum += std::clamp(Level, 0.0, 1.0) *
             static_cast<double>(Changes[I + 1].Time - Changes[I].Time);
  }
  return Sum;
}

GpuUse useOf(const EventStream &Trace, int64_t Device,
             const EventsOfKind &Kernels, Interval Span) {
  GpuUse Use;
  Use.Device = Device;
  std::vector<Interval> Times;
  double OccupancyTime = 0;
  double AllTime = 0;
  bool HasBlocks = false;
  bool HasOccupancy = false;
  for (const TraceEvent *Kernel : Kernels) {
    Times.push_back(Kernel->time());
    const DeviceFacts &Facts = Trace.Devices[Kernel->Device];
    auto Duration = static_cast<double>(Kernel->Duration);
    HasBlocks |= Facts.BlocksPerSm >= 0;
    HasOccupancy |= Facts.Occupancy >= 0;
    OccupancyTime += std::max(Facts.Occupancy, 0.0) * Duration;
    AllTime += Duration;
  }
  size_t Hint = 0;
  auto Length = static_cast<double>(Span.End - Span.Start);
  if (Length > 0) {
    Use.Utilization =
        static_cast<double>(lengthWithin(unite(std::move(Times)), Span, Hint)) /
        Length;
    if (HasBlocks)
      Use.SmEfficiency = busyMultiprocessors(Trace, Kernels, Span) / Length;
  }
  if (HasOccupancy && AllTime > 0)
    Use.Occupancy = OccupancyTime / AllTime;
  for (const TraceEvent *Kernel : Kernels)
    Use.abstainFor(Trace.name(*Kernel));
  return Use;
}

void measureGpus(const EventStream &Trace, StepAnalysis &Out) {
  std::map<int64_t, EventsOfKind> Kernels;
  for (const TraceEvent &Event : Trace.Events)
    if (Event.Kind == TraceKind::Kernel)
      Kernels[Trace.Devices[Event.Device].Device].push_back(&Event);
  Interval Span{Out.Steps.front().Time.Start, Out.Steps.back().Time.End};
  for (const auto &[Device, Events] : Kernels)
    Out.Gpus.push_back(useOf(Trace, Device, Events, Span));
}

// The kernels of one launch, those of a CUDA graph, are short only if all of
// them together are.
void countShortKernels(const EventStream &Trace, const LaunchLinks &Links,
                       StepAnalysis &Out) {
  for (uint32_t I = 0; I < Links.runtimes().size(); ++I) {
    uint64_t Kernels = 0;
    int64_t Time = 0;
    for (uint32_t E : Links.launchedBy(I))
      if (Trace.Events[E].Kind == TraceKind::Kernel) {
        ++Kernels;
        Time += Trace.Events[E].Duration;
      }
    Out.LaunchedKernels += Kernels;
    if (Time < Trace.Events[Links.runtimes()[I]].Duration)
      Out.ShortKernels += Kernels;
  }
}

} // namespace

std::vector<bool> stepTracks(const EventStream &Trace) {
  std::vector<bool> Result(Trace.Tracks.size());
  bool HasSteps = false;
  for (const TraceEvent &Event : Trace.Events)
    if (Event.Kind == TraceKind::Step)
      Result[Event.Track] = HasSteps = true;
  if (HasSteps || Result.empty())
    return Result;
  std::vector<Interval> Lives = hostLives(Trace);
  size_t Longest = 0;
  for (size_t T = 1; T < Lives.size(); ++T)
    if (isLonger(Lives[T], Lives[Longest]))
      Longest = T;
  Result[Longest] = true;
  return Result;
}

void averageSteps(StepAnalysis &Of) {
  auto Count = static_cast<double>(Of.Steps.size());
  for (size_t R = 0; R < RoleCount; ++R) {
    int64_t Sum = 0;
    for (const TraceStep &Step : Of.Steps)
      Sum = saturatingAdd(Sum, Step.Roles[R]);
    Of.AverageRoles[R] = static_cast<double>(Sum) / Count;
  }
  int64_t Sum = 0;
  for (const TraceStep &Step : Of.Steps)
    Sum = saturatingAdd(Sum, Step.ns());
  Of.AverageStep = static_cast<double>(Sum) / Count;
}

// Those of LOOPS that lie within steps.
static void addNestedLoops(const EventStream &Trace,
                           const std::vector<const TraceEvent *> &Loops,
                           std::map<uint32_t, std::vector<Interval>> &To) {
  std::map<uint32_t, std::vector<Interval>> Found;
  for (const TraceEvent &Event : Trace.Events)
    if (Event.Kind == TraceKind::Step)
      Found[Event.Track].push_back(Event.time());
  std::map<uint32_t, IntervalSet> Steps;
  for (auto &[Track, Times] : Found)
    Steps[Track] = unite(std::move(Times));
  for (const TraceEvent *Loop : Loops) {
    const IntervalSet &Of = Steps[Loop->Track];
    auto After = std::upper_bound(
        Of.begin(), Of.end(), Loop->Start,
        [](int64_t Time, const Interval &Each) { return Time < Each.Start; });
    if (After != Of.begin() && Loop->end() <= (After - 1)->End)
      To[Loop->Track].push_back(Loop->time());
  }
}

std::map<uint32_t, IntervalSet> cutsByTrack(const EventStream &Trace) {
  std::map<uint32_t, std::vector<Interval>> Found;
  std::vector<const TraceEvent *> Loops;
  bool HasTraining = false;
  for (const TraceEvent &Event : Trace.Events) {
    if (Event.Use == EventUse::Cut)
      Found[Event.Track].push_back(Event.time());
    HasTraining |= Event.StandsFor == LOOPSCOPE_KIND_TRAIN;
    if (Event.StandsFor == LOOPSCOPE_KIND_VALID)
      Loops.push_back(&Event);
  }
  if (HasTraining && !Loops.empty())
    addNestedLoops(Trace, Loops, Found);
  std::map<uint32_t, IntervalSet> Cuts;
  for (auto &[Track, Times] : Found)
    Cuts[Track] = unite(std::move(Times));
  return Cuts;
}

StepAnalysis analyzeSteps(const EventStream &Trace, const LaunchLinks &Links,
                          StepLimits Limits) {
  StepAnalysis Out;
  Out.Steps = hostSteps(Trace);
  if (Out.Steps.empty()) {
    Out.NoStepMarks = true;
    Out.Steps.push_back(wholeRun(Trace));
  }
  setLimits(Trace, DeviceMatch(Trace, Links, Out.Steps), Limits, Out);
  RoleCoverage Covered(Trace, stepTracks(Trace), !Trace.ThreadsAreApart);
  for (TimeRole R : {TimeRole::Kernel, TimeRole::Memcpy, TimeRole::Memset,
                     TimeRole::Runtime})
    Out.UsesGpu |= Covered.has(R);
  Out.HasCommunication = Covered.has(TimeRole::Communication);
  Out.HasWaits = Covered.has(TimeRole::Wait);
  splitByRole(Covered, Trace, Out);
  averageSteps(Out);
  measureGpus(Trace, Out);
  countShortKernels(Trace, Links, Out);
  return Out;
}

} // namespace loopscope

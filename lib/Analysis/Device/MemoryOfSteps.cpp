// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each step's stretch of a lane's changes.

#include "Analysis/Device/MemoryOfSteps.h"

#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/PathTree.h"
#include "Run/Model/Stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

using namespace loopscope;

namespace {
struct NamedStep {
  std::string Name;
  Interval Time;
};

std::vector<NamedStep> stepsInTime(const Run &R, const StepAnalysis &Steps) {
  std::vector<NamedStep> Result;
  if (R.By->KeepsEvents) {
    for (const TraceStep &Each : Steps.Steps)
      Result.push_back({Each.Name, Each.Host});
  } else {
    bool HasTraining = hasTrainingSteps(R);
    for (const std::vector<TimelineSpan> &Track : R.Timeline)
      for (size_t I : stepsOf(R, Track))
        if (!HasTraining || isTrainingStep(R, R.Nodes[Track[I].Node]))
          Result.push_back({fmt::format("{}", Track[I].Step),
                            {Track[I].StartNs, Track[I].EndNs}});
  }
  std::ranges::stable_sort(
      Result, {}, [](const NamedStep &Each) { return Each.Time.Start; });
  return Result;
}

// What was held before CHANGE, an index; that of the end: after all.
uint64_t heldBefore(const MemoryLane &Lane, size_t Change) {
  if (Change != 0)
    return Lane.Changes[Change - 1].HeldBytes;
  const MemoryChange &First = Lane.Changes.front();
  int64_t Before = static_cast<int64_t>(First.HeldBytes) - First.Bytes;
  return static_cast<uint64_t>(std::max<int64_t>(0, Before));
}

// The change that made the peak of a row of the result.
struct Peak {
  size_t Row = 0;
  int64_t AtNs = 0;
};
using PeaksOfTracks = std::map<uint32_t, std::vector<Peak>>;

// The row of STEP for LANE. PEAK gets the change that made its peak; null: what
// was there at its start.
StepMemory memoryOf(const Interval &Step, const MemoryLane &Lane,
                    const MemoryChange *&Peak) {
  auto From = std::ranges::lower_bound(Lane.Changes, Step.Start, {},
                                       &MemoryChange::AtNs);
  auto To = std::ranges::lower_bound(From, Lane.Changes.end(), Step.End, {},
                                     &MemoryChange::AtNs);
  auto Index = static_cast<size_t>(From - Lane.Changes.begin());
  StepMemory Of;
  Of.StartBytes = Of.PeakBytes = Of.EndBytes = heldBefore(Lane, Index);
  if (Index != 0)
    Of.UnusedBytes = Lane.Changes[Index - 1].UnusedBytes;
  Peak = nullptr;
  for (auto Each = From; Each != To; ++Each) {
    if (Each->Bytes > 0)
      Of.AllocatedBytes += static_cast<uint64_t>(Each->Bytes);
    else
      Of.FreedBytes += static_cast<uint64_t>(-Each->Bytes);
    Of.UnusedBytes = std::max(Of.UnusedBytes, Each->UnusedBytes);
    Of.EndBytes = Each->HeldBytes;
    if (Each->HeldBytes > Of.PeakBytes) {
      Of.PeakBytes = Each->HeldBytes;
      Peak = &*Each;
    }
  }
  return Of;
}

// Whether A says more of an allocation than B, both around it: what is inside
// an operator is often an aten::empty, and what is around a range is all of a
// step.
bool saysMore(const TraceEvent &A, const TraceEvent &B) {
  if (A.Kind != B.Kind)
    return A.Kind == TraceKind::Operator;
  return A.Kind == TraceKind::Operator ? A.Duration > B.Duration
                                       : A.Duration < B.Duration;
}

// Names what ran at the peaks of a trace: the outermost operator around each,
// without operators the shortest range.
void namePeaks(const EventStream &Trace, PeaksOfTracks &Of,
               std::vector<StepMemory> &Rows) {
  std::vector<const TraceEvent *> Around(Rows.size());
  for (auto &[Track, Peaks] : Of)
    std::ranges::sort(Peaks, {}, &Peak::AtNs);
  for (const TraceEvent &Event : Trace.Events) {
    auto Peaks = Of.find(Event.Track);
    if (Peaks == Of.end() || (Event.Kind != TraceKind::Operator &&
                              Event.Kind != TraceKind::Annotation))
      continue;
    auto Each =
        std::ranges::lower_bound(Peaks->second, Event.Start, {}, &Peak::AtNs);
    for (; Each != Peaks->second.end() && Each->AtNs <= Event.time().End;
         ++Each) {
      const TraceEvent *&Best = Around[Each->Row];
      if (Best == nullptr || saysMore(Event, *Best)) {
        Best = &Event;
        Rows[Each->Row].PeakIn = Trace.name(Event);
      }
    }
  }
}

// Looks at the later half of the steps, when what a run allocates once is
// there. STEPS: in order of time.
std::optional<MemoryGrowth> growthOf(const std::vector<StepMemory> &Rows,
                                     const std::vector<size_t> &Steps) {
  size_t Count = Steps.size() / 2;
  if (Count < FewestForGrowth)
    return std::nullopt;
  size_t First = Steps.size() - Count;
  uint64_t Times = 0;
  for (size_t I = First; I < Steps.size(); ++I) {
    uint64_t Before = Rows[Steps[I - 1]].EndBytes;
    uint64_t After = Rows[Steps[I]].EndBytes;
    if (After < Before)
      return std::nullopt;
    Times += After > Before ? 1 : 0;
  }
  if (Times < FewestGrowths)
    return std::nullopt;
  MemoryGrowth Found;
  Found.Lane = Rows[Steps.front()].Lane;
  Found.Steps = Count;
  Found.Bytes = Rows[Steps.back()].EndBytes - Rows[Steps[First - 1]].EndBytes;
  return Found;
}
} // namespace

std::vector<double> loopscope::heldUpTo(const MemoryLane &Of,
                                        const std::vector<int64_t> &Ends) {
  std::vector<double> Result;
  size_t Next = 0;
  uint64_t Held = heldBefore(Of, 0);
  for (int64_t End : Ends) {
    uint64_t Most = Held;
    for (; Next < Of.Changes.size() && Of.Changes[Next].AtNs < End; ++Next) {
      Held = Of.Changes[Next].HeldBytes;
      Most = std::max(Most, Held);
    }
    Result.push_back(End <= Of.KnownFromNs ? std::nan("")
                                           : static_cast<double>(Most));
  }
  return Result;
}

int64_t loopscope::timesBeginAt(const Run &R) {
  return R.By->KeepsEvents ? R.Stream.start() : 0;
}

std::string loopscope::laneName(const MemoryLane &Of) {
  switch (Of.Kind) {
  case MemoryKind::Device:
    return fmt::format("GPU {}", Of.Device);
  case MemoryKind::Managed:
    return fmt::format("GPU {}, managed", Of.Device);
  case MemoryKind::PinnedHost:
    return "pinned host";
  case MemoryKind::Host:
    return "host";
  case MemoryKind::Other:
    break;
  }
  return fmt::format("GPU {}, other", Of.Device);
}

MemoryOfSteps loopscope::memoryOfSteps(const Run &R,
                                       const StepAnalysis &Steps) {
  MemoryOfSteps Result;
  if (R.MemoryOverTime.empty())
    return Result;
  std::vector<NamedStep> InTime = stepsInTime(R, Steps);
  PeaksOfTracks Unnamed;
  std::vector<std::vector<size_t>> RowsOf(R.MemoryOverTime.size());
  for (const MemoryLane &Each : R.MemoryOverTime)
    Result.Lanes.push_back(laneName(Each));
  for (const auto &[Name, Time] : InTime) {
    bool IsUnknown = false;
    for (size_t I = 0; I < R.MemoryOverTime.size(); ++I) {
      const MemoryLane &Lane = R.MemoryOverTime[I];
      if (Time.Start < Lane.KnownFromNs) {
        IsUnknown = true;
        continue;
      }
      const MemoryChange *Highest = nullptr;
      StepMemory Next = memoryOf(Time, Lane, Highest);
      Next.Step = Result.Steps.size();
      Next.Lane = I;
      if (Highest != nullptr && Highest->Node != None)
        Next.PeakIn = treeName(R, R.Nodes[Highest->Node]);
      else if (Highest != nullptr && Highest->Track != None)
        Unnamed[Highest->Track].push_back({Result.Rows.size(), Highest->AtNs});
      RowsOf[I].push_back(Result.Rows.size());
      Result.Rows.push_back(std::move(Next));
    }
    Result.Unknown += IsUnknown ? 1 : 0;
    Result.Steps.push_back(Name);
  }
  namePeaks(R.Stream, Unnamed, Result.Rows);
  for (const std::vector<size_t> &Each : RowsOf)
    if (std::optional<MemoryGrowth> Found = growthOf(Result.Rows, Each))
      Result.Growths.push_back(*Found);
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of one process, and how they compare with the others'.

#include "Analysis/Ranks/TraceTraffic.h"

#include "Analysis/Steps/StepTime.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Analysis/Thresholds.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/LaunchLinks.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

using namespace loopscope;

namespace {
TrafficOperation operationOf(const EventStream &Trace,
                             const TraceEvent &Event) {
  const ExchangeFacts &Facts =
      Trace.Exchanges[Trace.Devices[Event.Device].Exchange];
  auto Text = [&](uint32_t Id) {
    return Id == 0 ? std::string() : std::string(Trace.Strings[Id]);
  };
  TrafficOperation Next;
  Next.Name = Facts.Operation == 0 ? std::string(Trace.name(Event))
                                   : Text(Facts.Operation);
  Next.Group = Text(Facts.Group);
  Next.Ranks = Text(Facts.Ranks);
  Next.Sequence = Facts.Sequence;
  Next.GroupSize = Facts.GroupSize;
  Next.Bytes = Facts.Bytes;
  Next.Times.push_back(Event.time());
  return Next;
}

bool comesBefore(const Interval &A, const Interval &B) {
  return A.Start != B.Start ? A.Start < B.Start : A.End > B.End;
}

// The operations behind calls on the host, with their kernels; for an External
// id, the last one.
std::vector<TrafficOperation> callsOf(const EventStream &Trace) {
  std::unordered_map<uint64_t, size_t> ById;
  std::vector<TrafficOperation> Calls;
  bool HasNccl = false;
  for (const TraceEvent &Event : Trace.Events) {
    if (!isMarkedCall(Event.Kind) || Event.Use != EventUse::Exchange)
      continue;
    HasNccl |= siteUse(Trace.name(Event)) == SiteUse::Nccl;
    auto [At, IsNew] = ById.try_emplace(Event.ExternalId, Calls.size());
    if (IsNew || Event.ExternalId == 0)
      Calls.push_back(operationOf(Trace, Event));
    else
      Calls[At->second] = operationOf(Trace, Event);
  }
  if (HasNccl)
    for (const TraceEvent &Event : Trace.Events)
      if (Event.Kind == TraceKind::Kernel && Event.ExternalId != 0)
        if (auto At = ById.find(Event.ExternalId); At != ById.end())
          Calls[At->second].Times.push_back(Event.time());
  std::stable_sort(Calls.begin(), Calls.end(),
                   [](const auto &A, const auto &B) {
                     return comesBefore(A.Times.front(), B.Times.front());
                   });
  return Calls;
}

// Names the step that each of CALLS, sorted by start, falls into.
void findSteps(const std::vector<TraceStep> &Steps,
               std::vector<TrafficOperation> &Calls) {
  size_t At = 0;
  for (TrafficOperation &Each : Calls) {
    const Interval &Own = Each.Times.front();
    while (At < Steps.size() && Own.Start >= Steps[At].Time.End)
      ++At;
    if (At < Steps.size() && Own.Start >= Steps[At].Time.Start &&
        Own.End <= Steps[At].Time.End)
      Each.Step = Steps[At].Name;
  }
}

std::vector<TrafficStep> stepsOf(const EventStream &Trace,
                                 const std::vector<TraceStep> &Steps) {
  constexpr uint32_t All = RoleCoverage::AnyTrack;
  RoleCoverage Covered(Trace, stepTracks(Trace), true);
  IntervalSet Computation =
      Covered.of(All, Covered.has(TimeRole::Kernel) ? TimeRole::Kernel
                                                    : TimeRole::CpuExec);
  IntervalSet Communication = Covered.of(All, TimeRole::Communication);
  IntervalSet Both = intersect(Computation, Communication);
  std::vector<TrafficStep> Result;
  for (const TraceStep &Each : Steps) {
    size_t Hint = 0;
    TrafficStep Next;
    Next.Name = Each.Name;
    Next.ComputationNs = lengthWithin(Computation, Each.Time, Hint);
    Hint = 0;
    Next.CommunicationNs = lengthWithin(Communication, Each.Time, Hint);
    Hint = 0;
    Next.OverlapNs = lengthWithin(Both, Each.Time, Hint);
    Next.OtherNs = Each.Time.End - Each.Time.Start + Next.OverlapNs -
                   Next.ComputationNs - Next.CommunicationNs;
    Result.push_back(std::move(Next));
  }
  return Result;
}

// By step of R, the union of what its calls took, and of their transfers.
void addWaits(const std::vector<Run> &All, const Run &R, Worker &To) {
  std::unordered_map<std::string, std::vector<Interval>> Whole;
  std::unordered_map<std::string, std::vector<Interval>> Moving;
  const std::vector<TrafficOperation> &Calls = R.Exchanged.Calls;
  for (size_t C = 0; C < Calls.size(); ++C)
    for (size_t I = 0; I < Calls[C].Times.size(); ++I) {
      const Interval &Time = Calls[C].Times[I];
      Whole[Calls[C].Step].push_back(Time);
      Moving[Calls[C].Step].push_back(
          {Time.End - leastPartNs(All, C, I), Time.End});
    }
  for (WorkerStep &Each : To.Steps) {
    Each.TransferNs = lengthOf(unite(std::move(Moving[Each.Of.Name])));
    Each.WaitNs =
        lengthOf(unite(std::move(Whole[Each.Of.Name]))) - Each.TransferNs;
  }
}

WorkerStep averageOf(const std::vector<WorkerStep> &Steps) {
  WorkerStep Result;
  if (Steps.empty())
    return Result;
  auto Count = static_cast<int64_t>(Steps.size());
  auto Mean = [&](auto Figure) {
    int64_t Sum = 0;
    for (const WorkerStep &Each : Steps)
      Sum = saturatingAdd(Sum, Figure(Each));
    return Sum / Count;
  };
  Result.Of.ComputationNs = Mean([](auto &S) { return S.Of.ComputationNs; });
  Result.Of.CommunicationNs =
      Mean([](auto &S) { return S.Of.CommunicationNs; });
  Result.Of.OverlapNs = Mean([](auto &S) { return S.Of.OverlapNs; });
  Result.Of.OtherNs = Mean([](auto &S) { return S.Of.OtherNs; });
  Result.TransferNs = Mean([](auto &S) { return S.TransferNs; });
  Result.WaitNs = Mean([](auto &S) { return S.WaitNs; });
  return Result;
}
} // namespace

void loopscope::addTraffic(Run &To) {
  const EventStream &Trace = To.Stream;
  StepAnalysis Found =
      analyzeSteps(Trace, LaunchLinks(Trace), StepLimits::DeviceWork);
  To.Exchanged.Steps = stepsOf(Trace, Found.Steps);
  if (!Found.UsesGpu)
    To.Exchanged.VerdictNs = stepTimeOfEvents(To, Trace, Found).CommunicationNs;
  To.Exchanged.Calls = callsOf(Trace);
  findSteps(Found.Steps, To.Exchanged.Calls);
  for (TrafficOperation &Each : To.Exchanged.Calls)
    std::sort(Each.Times.begin(), Each.Times.end(), comesBefore);
  for (const TraceEvent &Event : Trace.Events)
    if (Event.Kind == TraceKind::Kernel &&
        Trace.Exchanges[Trace.Devices[Event.Device].Exchange].Operation != 0)
      To.Exchanged.Kernels.push_back(operationOf(Trace, Event));
}

bool loopscope::haveSameCalls(const std::vector<Run> &All) {
  const Traffic &First = All.front().Exchanged;
  auto IsSameStep = [](const TrafficStep &A, const TrafficStep &B) {
    return A.Name == B.Name;
  };
  auto IsSameCall = [](const TrafficOperation &A, const TrafficOperation &B) {
    return A.Name == B.Name && A.Times.size() == B.Times.size();
  };
  return !First.Calls.empty() &&
         std::all_of(All.begin(), All.end(), [&](const Run &Each) {
           const Traffic &Of = Each.Exchanged;
           return std::equal(First.Steps.begin(), First.Steps.end(),
                             Of.Steps.begin(), Of.Steps.end(), IsSameStep) &&
                  std::equal(First.Calls.begin(), First.Calls.end(),
                             Of.Calls.begin(), Of.Calls.end(), IsSameCall);
         });
}

int64_t loopscope::leastPartNs(const std::vector<Run> &All, size_t Call,
                               size_t I) {
  int64_t Least = INT64_MAX;
  for (const Run &Each : All) {
    const Interval &Time = Each.Exchanged.Calls[Call].Times[I];
    Least = std::min(Least, Time.End - Time.Start);
  }
  return Least;
}

bool Workers::differFromVerdict() const {
  return std::abs(static_cast<double>(AloneNs - VerdictNs)) >
         RulesDiffer * static_cast<double>(HostStepsNs);
}

Workers loopscope::workersOf(const std::vector<Run> &All, bool Missing) {
  Workers Result;
  Result.IsSplit = All.size() > 1 && haveSameCalls(All);
  if (!Result.IsSplit)
    Result.Notes.emplace_back(
        All.size() < 2 && All.front().Cycles > 1
            ? "One worker can't show how long workers waited for each other."
        : All.size() < 2
            ? "One trace can't show how long workers waited for each other."
            : "How long workers waited for each other isn't known: the traces "
              "differ in their steps or their communication operations.");
  if (Result.IsSplit && Missing)
    Result.Notes.emplace_back("Workers are missing: Synchronizing is how long "
                              "those present waited for each other.");
  for (const Run &R : All) {
    Worker Next;
    Next.Process = R.processName();
    for (const TrafficStep &Each : R.Exchanged.Steps) {
      Next.Steps.push_back({Each, 0, 0});
      if (R.Exchanged.VerdictNs < 0)
        continue;
      int64_t Alone = Each.CommunicationNs - Each.OverlapNs;
      Result.AloneNs = saturatingAdd(Result.AloneNs, Alone);
      Result.HostStepsNs = saturatingAdd(
          Result.HostStepsNs, Each.ComputationNs + Alone + Each.OtherNs);
    }
    Result.VerdictNs = saturatingAdd(
        Result.VerdictNs, std::max<int64_t>(0, R.Exchanged.VerdictNs));
    if (Result.IsSplit)
      addWaits(All, R, Next);
    Next.Average = averageOf(Next.Steps);
    Result.List.push_back(std::move(Next));
  }
  return Result;
}

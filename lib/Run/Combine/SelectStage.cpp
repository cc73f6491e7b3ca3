// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a run down to one stage, or a stage out of a run.

#include "Run/Combine/SelectStage.h"

#include "Run/Combine/SelectThread.h"
#include "Run/Model/Intervals.h"
#include "Run/Model/Stages.h"
#include "Support/Suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

using namespace loopscope;

namespace {
// The nodes of stage KIND and everything below them; all nodes of threads that
// belong to it as a whole.
std::vector<bool> nodesWithin(const Run &R, const Stages &All,
                              loopscope_kind Kind) {
  std::vector<bool> Within(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Within[I] = N.Parent == None
                    ? All.Of[I] == Kind && Kind != LOOPSCOPE_KIND_ROOT
                    : N.Kind == Kind || Within[N.Parent];
  }
  return Within;
}

// The nodes that are in no stage.
std::vector<bool> nodesOutside(const Run &R, const Stages &All) {
  std::vector<bool> Outside(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Outside[I] = N.Parent == None ? All.Of[I] == LOOPSCOPE_KIND_ROOT
                                  : Outside[N.Parent] && !isStage(N.Kind);
  }
  return Outside;
}

// Subtracts the time of removed stages from everything around them.
void takeOut(Run &R, const std::vector<bool> &Kept) {
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    uint32_t Up = R.Nodes[I].Parent;
    if (Kept[I] || Up == None || !Kept[Up])
      continue;
    for (; Up != None; Up = R.Nodes[Up].Parent)
      R.Nodes[Up].InclusiveNs = std::max<int64_t>(
          0, R.Nodes[Up].InclusiveNs - R.Nodes[I].InclusiveNs);
  }
}

// Shortens a thread's root to what remains of it.
void shortenRoots(Run &R, const std::vector<bool> &Kept) {
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    Node &N = R.Nodes[I];
    if (N.Parent == None && !Kept[I])
      N.InclusiveNs = N.SelfNs = N.HookNs = N.ExcludedNs = 0;
    uint32_t Root = R.Threads[N.Thread].Root;
    if (N.Parent != None && Kept[I] && !Kept[N.Parent] && Root != None)
      R.Nodes[Root].InclusiveNs =
          saturatingAdd(R.Nodes[Root].InclusiveNs, N.InclusiveNs);
  }
}
} // namespace

std::string loopscope::noSuchStage(const std::string &Id,
                                   const std::vector<std::string> &Known) {
  return fmt::format("--stage: there is no stage '{}' here; {}", Id,
                     chooseFrom(Id, Known));
}

namespace {
Result<Run> stageOfTree(Run R, const std::string &Id) {
  Stages All = findStages(R);
  std::vector<std::string> Known;
  const Stage *Found = nullptr;
  for (const Stage &S : All.List) {
    Known.push_back(S.Id);
    if (S.Id == Id)
      Found = &S;
  }
  if (!Found)
    return Error{fmt::format("{}: {}", R.Path, noSuchStage(Id, Known))};
  if (All.Implicit)
    return R;
  std::vector<bool> Kept;
  if (Found->Kind == LOOPSCOPE_KIND_ROOT) {
    Kept = nodesOutside(R, All);
    takeOut(R, Kept);
  } else {
    Kept = nodesWithin(R, All, Found->Kind);
    shortenRoots(R, Kept);
  }
  R.WallNs = Found->WallNs;
  std::vector<bool> Threads(R.Threads.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    if (Kept[I])
      Threads[R.Nodes[I].Thread] = true;
  for (size_t T = 0; T < R.Threads.size(); ++T) {
    if (!Threads[T] || R.Threads[T].Root == None)
      continue;
    Kept[R.Threads[T].Root] = true;
    R.Threads[T].LifetimeNs = R.Nodes[R.Threads[T].Root].InclusiveNs;
  }
  // When a device worked for the stage isn't recorded, nor how much of its
  // memory was in use then.
  for (GpuDevice &Each : R.Gpu.Devices) {
    Each.StartNs = Each.EndNs = -1;
    Each.MemoryPeak = Each.MemoryNow = 0;
  }
  for (GpuMemory &Each : R.Gpu.Memory)
    Each.HeldAtPeak = 0;
  return keptParts(std::move(R), Threads, Kept);
}

Result<Run> stageOfEvents(Run Trace, const std::string &Id) {
  EventStream &Stream = Trace.Stream;
  constexpr const char *Outside = "outside";
  // Stages by name, and where they ran by track.
  std::map<std::string, std::map<uint32_t, IntervalSet>> Ran;
  for (const TraceEvent &Event : Stream.Events)
    if (isStage(static_cast<loopscope_kind>(Event.StandsFor)))
      Ran[std::string(Stream.name(Event))][Event.Track].push_back(Event.time());
  std::vector<std::string> Known;
  for (const auto &[Name, Where] : Ran)
    Known.push_back(Name);
  Known.push_back(Ran.empty() ? "fit" : Outside);
  if (std::find(Known.begin(), Known.end(), Id) == Known.end())
    return Error{fmt::format("{}: {}", Trace.Path, noSuchStage(Id, Known))};
  if (Ran.empty())
    return Trace;
  auto IsIn = [&](const std::string &Stage, const TraceEvent &Event) {
    auto Track = Ran[Stage].find(Event.Track);
    return Track != Ran[Stage].end() &&
           std::any_of(Track->second.begin(), Track->second.end(),
                       [&](const Interval &I) {
                         return Event.Start >= I.Start && Event.end() <= I.End;
                       });
  };
  auto HasStage = [&](uint32_t Track) {
    return std::any_of(Ran.begin(), Ran.end(), [&](const auto &Each) {
      return Each.second.count(Track) != 0;
    });
  };
  auto IsWanted = [&](const TraceEvent &Event) {
    // Threads on which no stage was opened belong to the run's only one.
    if (!HasStage(Event.Track))
      return Ran.size() == 1 ? Id != Outside : Id == Outside;
    if (Id != Outside)
      return IsIn(Id, Event);
    return std::none_of(Ran.begin(), Ran.end(), [&](const auto &Each) {
      return IsIn(Each.first, Event);
    });
  };
  std::unordered_set<uint64_t> Launches;
  for (const TraceEvent &Event : Stream.Events)
    if (Event.Kind == TraceKind::Runtime && IsWanted(Event))
      Launches.insert(Event.Correlation);
  std::erase_if(Stream.Events, [&](const TraceEvent &Event) {
    return isDeviceWork(Event.Kind) ? Launches.count(Event.Correlation) == 0
                                    : !IsWanted(Event);
  });
  return Trace;
}
} // namespace

Result<Run> loopscope::selectStage(Run From, const std::string &Id) {
  return From.By->KeepsEvents && From.Nodes.empty()
             ? stageOfEvents(std::move(From), Id)
             : stageOfTree(std::move(From), Id);
}

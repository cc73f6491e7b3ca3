// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renumbers and joins profiles.

#include "Run/Combine/Merge.h"
#include "Support/Numbers.h"
#include "Support/Paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <malloc.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

using namespace loopscope;

namespace {
// Orders how runs ended; the worst one stands for a merged run.
int badness(const Run &R) {
  if (R.Ended == End::Signal)
    return 4;
  if (R.Ended == End::Gone)
    return 3;
  if (R.Ended == End::Running)
    return 2;
  return R.EndCode != 0;
}

using SiteKey =
    std::tuple<loopscope_kind, std::string, std::string, std::string, uint32_t>;

uint32_t shifted(uint32_t Index, uint32_t By) {
  return Index == None ? None : Index + By;
}

// How much later than the first process one started, and by how much its clock
// runs faster than the first's.
struct Later {
  int64_t Ns = 0;
  double Drift = 0;
};

// Offsets into the merged profile for what a profile refers to by index, and
// how much later than the first process it started.
struct Places {
  uint32_t FirstNode;
  uint32_t FirstThread;
  Later By;
};

int64_t later(int64_t Ns, const Places &At) {
  return saturatingAdd(
      saturatingAdd(Ns, At.By.Ns),
      static_cast<int64_t>(At.By.Drift * static_cast<double>(Ns)));
}

// The devices of each process stay separate: device 0 of one host isn't device
// 0 of another.
void append(GpuData &To, GpuData &&From, const Places &At,
            const std::string &Process,
            std::map<std::string, uint32_t> &FunctionOf) {
  uint32_t FirstNode = At.FirstNode;
  // Unused, on, stopped, missing: the worst one counts.
  auto Badness = [](const GpuData &G) {
    return G.State == LOOPSCOPE_GPU_MISSING ? 4 : static_cast<int>(G.State);
  };
  if (Badness(From) > Badness(To)) {
    To.State = From.State;
    To.EndNs = From.EndNs;
  }
  if (To.Note.empty() && !From.Note.empty())
    To.Note = Process + ": " + From.Note;
  if (To.Library.empty()) {
    To.Library = From.Library;
    To.CuptiVersion = From.CuptiVersion;
  }
  To.StartNs = std::max(To.StartNs, From.StartNs);
  To.Launches += From.Launches;
  To.Records += From.Records;
  To.CostNs = saturatingAdd(To.CostNs, From.CostNs);
  for (size_t I = 0; I < To.OverheadNs.size(); ++I)
    To.OverheadNs[I] = saturatingAdd(To.OverheadNs[I], From.OverheadNs[I]);
  std::vector<uint32_t> NewFunction;
  for (std::string &Name : From.Functions) {
    auto [Found, IsNew] = FunctionOf.try_emplace(Name, To.Functions.size());
    if (IsNew)
      To.Functions.push_back(Name);
    NewFunction.push_back(Found->second);
  }
  auto FirstDevice = static_cast<uint32_t>(To.Devices.size());
  for (GpuDevice &D : From.Devices) {
    D.Process = Process;
    D.MemoryPeakNode = shifted(D.MemoryPeakNode, FirstNode);
    To.Devices.push_back(std::move(D));
  }
  for (GpuWork W : From.Work) {
    W.Node = shifted(W.Node, FirstNode);
    W.MadeIn = shifted(W.MadeIn, FirstNode);
    W.Function = W.Function == None ? None : NewFunction[W.Function];
    W.Device += FirstDevice;
    To.Work.push_back(W);
  }
  for (GpuSameWork W : From.SameWork) {
    GpuWorkName &Name = W.Name;
    Name.Function = Name.Function == None ? None : NewFunction[Name.Function];
    Name.Device += FirstDevice;
    To.SameWork.push_back(W);
  }
  for (GpuNode N : From.Nodes) {
    N.Node = shifted(N.Node, FirstNode);
    N.Device += FirstDevice;
    To.Nodes.push_back(N);
  }
  for (GpuOverlap &O : From.Overlaps) {
    O.Device += FirstDevice;
    for (GpuOverlap::Member &Each : O.Members)
      Each.Node = shifted(Each.Node, FirstNode);
    To.Overlaps.push_back(std::move(O));
  }
  for (GpuMemory M : From.Memory) {
    M.Node = shifted(M.Node, FirstNode);
    M.Device = shifted(M.Device, FirstDevice);
    To.Memory.push_back(M);
  }
  for (HardwareUse U : From.Uses) {
    U.Node = shifted(U.Node, FirstNode);
    U.Device += FirstDevice;
    To.Uses.push_back(U);
  }
  for (const GpuWait &W : From.Waits)
    To.Waits.push_back(
        {W.Waiter + FirstNode, shifted(W.Worker, FirstNode), W.Ns});
  for (GpuEvent E : From.Events) {
    E.StartNs = later(E.StartNs, At);
    E.EndNs = later(E.EndNs, At);
    E.Node = shifted(E.Node, FirstNode);
    E.MadeIn = shifted(E.MadeIn, FirstNode);
    E.Function = E.Function == None ? None : NewFunction[E.Function];
    E.Device = shifted(E.Device, FirstDevice);
    E.Thread = shifted(E.Thread, At.FirstThread);
    To.Events.push_back(E);
  }
}

// The hosts of each process stay separate, as the devices do.
void append(DeviceData &To, DeviceData &&From, uint32_t FirstNode,
            const std::string &Process) {
  To.IntervalMs = std::max(To.IntervalMs, From.IntervalMs);
  To.Rounds += From.Rounds;
  To.CostNs = saturatingAdd(To.CostNs, From.CostNs);
  if (To.Note.empty() && !From.Note.empty())
    To.Note = Process + ": " + From.Note;
  auto FirstMetric = static_cast<uint32_t>(To.Metrics.size());
  for (Metric &M : From.Metrics) {
    M.Process = Process;
    To.Metrics.push_back(std::move(M));
  }
  for (MetricSum S : From.Sums) {
    S.Metric += FirstMetric;
    S.Node = shifted(S.Node, FirstNode);
    To.Sums.push_back(S);
  }
}

void append(StackData &To, StackData &&From, const Places &At) {
  To.CpuNs += From.CpuNs;
  To.WithoutKernel |= From.WithoutKernel;
  To.AtTicks += From.AtTicks;
  To.TickNs = std::max(To.TickNs, From.TickNs);
  To.EveryNs = std::max(To.EveryNs, From.EveryNs);
  To.Calls.clear(); // were counted in one process
  auto FirstObject = static_cast<uint32_t>(To.Objects.size());
  for (CodeObject &O : From.Objects)
    To.Objects.push_back(std::move(O));
  for (StackSample &S : From.Samples) {
    S.Node = shifted(S.Node, At.FirstNode);
    S.Thread = shifted(S.Thread, At.FirstThread);
    for (CodeAddress &Each : S.Frames)
      Each.Object = shifted(Each.Object, FirstObject);
    To.Samples.push_back(std::move(S));
  }
}

// Gives where each of FROM is in TO, which PLACE_OF knows.
template <typename T>
std::vector<uint32_t> append(std::vector<T> &To, std::vector<T> &&From,
                             std::map<T, uint32_t> &PlaceOf) {
  std::vector<uint32_t> Result;
  for (T &Each : From) {
    auto [Found, IsNew] = PlaceOf.try_emplace(Each, To.size());
    if (IsNew)
      To.push_back(std::move(Each));
    Result.push_back(Found->second);
  }
  return Result;
}

void append(Run &To, Run &&From, Later By, std::map<SiteKey, uint32_t> &SiteOf,
            std::map<std::string, uint32_t> &FunctionOf,
            std::map<OperatorInputs, uint32_t> &InputsOf,
            std::map<SpanKey, uint32_t> &KeyOf) {
  std::vector<uint32_t> NewSite;
  for (Site &S : From.Sites) {
    auto [Found, IsNew] = SiteOf.try_emplace(
        {S.Kind, S.Name, S.File, S.Function, S.Line}, To.Sites.size());
    int64_t Since = S.OffSinceNs;
    if (IsNew)
      To.Sites.push_back(std::move(S));
    int64_t &First = To.Sites[Found->second].OffSinceNs;
    if (Since >= 0 && (First < 0 || Since < First))
      First = Since;
    NewSite.push_back(Found->second);
  }
  auto FirstNode = static_cast<uint32_t>(To.Nodes.size());
  auto FirstThread = static_cast<uint32_t>(To.Threads.size());
  std::string Process = From.processName();
  Places At{FirstNode, FirstThread, By};
  append(To.Gpu, std::move(From.Gpu), At, Process, FunctionOf);
  append(To.Devices, std::move(From.Devices), FirstNode, Process);
  append(To.Stacks, std::move(From.Stacks), At);
  std::vector<uint32_t> NewRange;
  for (RangeSum &Each : From.Ranges)
    NewRange.push_back(addRange(To.Ranges, std::move(Each)));
  for (RangeSpan &Each : From.RangeSpans) {
    Each.Process = Process;
    Each.Range = NewRange[Each.Range];
    Each.StartNs = later(Each.StartNs, At);
    Each.EndNs = later(Each.EndNs, At);
    To.RangeSpans.push_back(std::move(Each));
  }
  for (WhatifBlock &Block : From.Whatif) {
    Block.Process = FirstThread;
    Block.Phase = shifted(Block.Phase, FirstNode);
    Block.Loop = shifted(Block.Loop, FirstNode);
    To.Whatif.push_back(std::move(Block));
  }
  for (CollectiveInstance &Each : From.Collectives) {
    Each.Node += FirstNode;
    Each.EnterNs = later(Each.EnterNs, At);
    for (WorkPhase &Phase : Each.Phases)
      Phase.Node += FirstNode;
    To.Collectives.push_back(std::move(Each));
  }
  for (RunHistory &Each : From.Histories) {
    Each.Process = Process;
    for (HistoryLane &Lane : Each.Lanes) {
      Lane.Site = Lane.Site == None ? None : NewSite[Lane.Site];
      Lane.Loop = Lane.Loop == None ? None : NewSite[Lane.Loop];
      for (uint32_t &N : Lane.Nodes)
        N += FirstNode;
    }
    To.Histories.push_back(std::move(Each));
  }
  for (RunValue &Each : From.Values) {
    Each.Process = Process;
    To.Values.push_back(std::move(Each));
  }
  for (PeerSum &Each : From.Peers) {
    Each.Node += FirstNode;
    To.Peers.push_back(Each);
  }
  for (OwnStep &Each : From.OwnSteps) {
    Each.Node += FirstNode;
    for (StepPhase &Phase : Each.Phases) {
      Phase.Node += FirstNode;
      Phase.MetNode = shifted(Phase.MetNode, FirstNode);
    }
    To.OwnSteps.push_back(std::move(Each));
  }
  for (OperatorLink &Each : From.OperatorLinks) {
    Each.Backward += FirstNode;
    Each.Forward += FirstNode;
    To.OperatorLinks.push_back(Each);
  }
  std::vector<uint32_t> NewInputs =
      append(To.Inputs, std::move(From.Inputs), InputsOf);
  std::vector<uint32_t> NewKeys = append(To.Keys, std::move(From.Keys), KeyOf);
  for (HostTime &Each : From.HostTimes) {
    Each.StandsFor += FirstNode;
    To.HostTimes.push_back(Each);
  }
  for (Node &N : From.Nodes) {
    N.Key = N.Key == None ? None : NewKeys[N.Key];
    N.Inputs = N.Inputs == None ? None : NewInputs[N.Inputs];
    N.Parent += N.Parent == None ? 0 : FirstNode;
    N.Thread += FirstThread;
    N.Site = N.Site == None ? None : NewSite[N.Site];
    for (uint32_t &Child : N.Children)
      Child += FirstNode;
    To.Nodes.push_back(std::move(N));
  }
  for (Thread &T : From.Threads) {
    T.Root += T.Root == None ? 0 : FirstNode;
    T.Process = Process;
    To.Threads.push_back(std::move(T));
  }
  for (std::vector<TimelineSpan> &Track : From.Timeline) {
    for (TimelineSpan &Span : Track) {
      Span.Node += FirstNode;
      Span.StartNs = later(Span.StartNs, At);
      Span.EndNs = later(Span.EndNs, At);
    }
    To.Timeline.push_back(std::move(Track));
  }
  // Clocks of different rates are for lanes in memory only.
  To.FileLanes.resize(To.Threads.size());
  for (size_t I = 0; I < From.FileLanes.size() && At.By.Drift == 0; ++I) {
    FileLane &Lane = To.FileLanes[FirstThread + I];
    Lane = std::move(From.FileLanes[I]);
    Lane.LaterNs = saturatingAdd(Lane.LaterNs, At.By.Ns);
    for (uint32_t &Each : Lane.NodeOf)
      Each = shifted(Each, FirstNode);
  }
}

// The program of all runs, or the names of all programs: "train, test".
void nameProgram(const std::vector<Run> &All, Run &Result) {
  const Run &First = All.front();
  Result.Program = First.Program;
  Result.CommandLine = First.CommandLine;
  if (std::all_of(All.begin(), All.end(), [&](const Run &Each) {
        return Each.Program == First.Program;
      }))
    return;
  Result.CommandLine.clear();
  std::vector<std::string> Names;
  for (const Run &R : All)
    if (std::string Name(fileName(R.Program));
        std::find(Names.begin(), Names.end(), Name) == Names.end())
      Names.push_back(std::move(Name));
  Result.Program = fmt::format("{}", fmt::join(Names, ", "));
}

// Gives the system back what lies freed among other memory.
void returnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Merges ALL into one run, each starting as much later as BY says.
Run merged(std::vector<Run> All, const std::vector<Later> &By) {
  Run Result;
  std::map<SiteKey, uint32_t> SiteOf;
  std::map<std::string, uint32_t> FunctionOf;
  std::map<OperatorInputs, uint32_t> InputsOf;
  std::map<SpanKey, uint32_t> KeyOf;
  for (const Run &R : All)
    if (&R == &All.front() || badness(R) > badness(Result)) {
      Result.Ended = R.Ended;
      Result.EndCode = R.EndCode;
    }
  const Run &First = All.front();
  nameProgram(All, Result);
  Result.IsMerged = All.size() > 1 || First.IsMerged;
  Result.Host = First.Host;
  Result.WorkingDirectory = First.WorkingDirectory;
  Result.Options = First.Options;
  Result.Pid = First.Pid;
  Result.Mode = First.Mode;
  Result.By = First.By;
  Result.SchemaVersion = First.SchemaVersion;
  Result.Backend = First.Backend;
  Result.WorldSize = First.WorldSize;
  Result.StartRealtimeNs = First.StartRealtimeNs;
  Result.WarmupSteps = First.WarmupSteps;
  Result.WarmupPerEpoch = First.WarmupPerEpoch;
  constexpr size_t RunsPerTrim = 512;
  size_t Nodes = 0;
  for (const Run &R : All)
    Nodes += R.Nodes.size();
  Result.Nodes.reserve(Nodes);
  for (size_t I = 0; I < All.size(); ++I) {
    Run &R = All[I];
    Result.Path += (Result.Path.empty() ? "" : " + ") + R.Path;
    Result.WallNs = saturatingAdd(Result.WallNs, R.WallNs);
    Result.StartRealtimeNs =
        std::min(Result.StartRealtimeNs, R.StartRealtimeNs);
    Result.HookInsideNs = std::max(Result.HookInsideNs, R.HookInsideNs);
    Result.HookOutsideNs = std::max(Result.HookOutsideNs, R.HookOutsideNs);
    Result.EventCount += R.EventCount;
    Result.Cycles = std::max(Result.Cycles, R.Cycles);
    Result.Given.merge(R.Given);
    if (I == 0)
      Result.Parts = R.Parts;
    else
      Result.Parts.merge(R.Parts);
    mergeFacts(Result.Facts, R.Facts, R.processName());
    Result.TimelineIsCut |= R.TimelineIsCut;
    Result.IsPrivate |= R.IsPrivate;
    Result.Gpu.EventsAreCut |= R.Gpu.EventsAreCut;
    addLosses(R.Lost, Result.Lost);
    append(Result, std::move(R), By[I], SiteOf, FunctionOf, InputsOf, KeyOf);
    // What is left of thousands of ranks would be half of the memory.
    R = Run();
    if (I % RunsPerTrim == RunsPerTrim - 1)
      returnFreedMemory();
  }
  foldKeys({&Result});
  if (Result.IsPrivate)
    Result.CommandLine.clear();
  std::stable_sort(Result.Gpu.Events.begin(), Result.Gpu.Events.end(),
                   [](const GpuEvent &A, const GpuEvent &B) {
                     return A.StartNs < B.StartNs;
                   });
  std::ranges::stable_sort(Result.RangeSpans, {}, &RangeSpan::StartNs);
  return Result;
}

// When the host booted, by its clocks.
int64_t bootNs(const Run &R) {
  int64_t Boot = 0;
  return __builtin_sub_overflow(R.StartRealtimeNs, R.StartMonotonicNs, &Boot)
             ? INT64_MIN
             : Boot;
}
} // namespace

Run loopscope::mergeProfiles(std::vector<Run> All) {
  for (Run &Each : All) {
    Each.Timeline.clear();
    Each.FileLanes.clear();
    Each.RangeSpans.clear();
    Each.Gpu.Events.clear();
  }
  std::vector<Later> By(All.size());
  return merged(std::move(All), By);
}

std::string loopscope::clocksDiffer(const Run &A, const Run &B) {
  // The time of day may have been set meanwhile, but only by little.
  constexpr int64_t Tolerance = NsPerSecond;
  if (A.Host != B.Host)
    return fmt::format("{} ran on host '{}' and {} on '{}'", A.Path, A.Host,
                       B.Path, B.Host);
  int64_t Apart = 0;
  if (__builtin_sub_overflow(bootNs(A), bootNs(B), &Apart) ||
      Apart > Tolerance || Apart < -Tolerance)
    return fmt::format("{} and {} ran after different starts of '{}', or its "
                       "time of day was set between them",
                       A.Path, B.Path, A.Host);
  return {};
}

std::string loopscope::clocksDiffer(const std::vector<Run> &All) {
  for (const Run &Each : All)
    if (std::string Why = clocksDiffer(All.front(), Each); !Why.empty())
      return Why;
  return {};
}

Result<Run> loopscope::mergeTimelines(std::vector<Run> All) {
  std::string Why = clocksDiffer(All);
  if (!Why.empty())
    return Error{fmt::format("--merge: no common clock for a timeline: {}; "
                             "without --merge, each profile has its own",
                             Why)};
  std::vector<ClockLine> Same(All.size());
  return mergeTimelines(std::move(All), Same);
}

Run loopscope::mergeTimelines(std::vector<Run> All,
                              const std::vector<ClockLine> &Lines) {
  int64_t FirstNs = INT64_MAX;
  for (size_t I = 0; I < All.size(); ++I)
    FirstNs = std::min(FirstNs, Lines[I].at(All[I].StartMonotonicNs));
  std::vector<Later> By;
  for (size_t I = 0; I < All.size(); ++I) {
    Later Next{0, Lines[I].Drift};
    if (__builtin_sub_overflow(Lines[I].at(All[I].StartMonotonicNs), FirstNs,
                               &Next.Ns))
      Next.Ns = INT64_MAX;
    By.push_back(Next);
  }
  return merged(std::move(All), By);
}

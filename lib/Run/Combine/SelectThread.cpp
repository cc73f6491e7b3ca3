// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes what other threads did, and renumbers the rest.

#include "Run/Combine/SelectThread.h"

#include "Support/Suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <unordered_set>

using namespace loopscope;

namespace {
// Enough to see what a name looks like.
constexpr size_t NamedAtMost = 12;

Error noSuchThread(const std::string &File, const std::string &Which,
                   const std::vector<std::string> &Known) {
  std::span<const std::string> Named(Known);
  std::string List = fmt::format(
      "{}", fmt::join(Named.first(std::min(Known.size(), NamedAtMost)), ", "));
  if (Known.size() > NamedAtMost)
    List += fmt::format(" and {} more", Known.size() - NamedAtMost);
  bool IsId = Which.find_first_not_of("0123456789") == std::string::npos;
  std::string Near = IsId ? "" : suggestionFor(Which, Known);
  return Error{fmt::format("{}: --thread: there is no thread '{}'; {} one of "
                           "{}",
                           File, Which, Near.empty() ? "use" : Near + " Use",
                           List)};
}

// Maps old indices to new ones; None for what is removed.
using Numbers = std::vector<uint32_t>;

uint32_t renumbered(const Numbers &To, uint32_t Old) {
  return Old < To.size() ? To[Old] : None;
}

// Keeps the device work of the remaining nodes.
void renumberGpu(GpuData &Gpu, const Numbers &Nodes, const Numbers &Threads) {
  auto Keep = [&](auto &From) {
    for (auto &Each : From)
      Each.Node = renumbered(Nodes, Each.Node);
    std::erase_if(From, [](const auto &Each) { return Each.Node == None; });
  };
  // If only part of the work remains, its union isn't known.
  std::set<GpuWorkName> Partial;
  for (const GpuWork &Each : Gpu.Work)
    if (renumbered(Nodes, Each.Node) == None)
      Partial.insert(Each.name());
  std::erase_if(Gpu.SameWork, [&](const GpuSameWork &Each) {
    return Partial.count(Each.Name) != 0;
  });
  Keep(Gpu.Work);
  Keep(Gpu.Nodes);
  Keep(Gpu.Events);
  Keep(Gpu.Memory);
  Keep(Gpu.Uses);
  // What other threads ran meanwhile makes no difference to a union.
  for (GpuOverlap &Each : Gpu.Overlaps) {
    for (GpuOverlap::Member &M : Each.Members)
      M.Node = renumbered(Nodes, M.Node);
    std::erase_if(Each.Members, [](const auto &M) { return M.Node == None; });
  }
  std::erase_if(Gpu.Overlaps, [](const GpuOverlap &Each) {
    return Each.Members.empty() && !Each.HasMore;
  });
  for (GpuWork &Each : Gpu.Work)
    Each.MadeIn = renumbered(Nodes, Each.MadeIn);
  for (GpuDevice &Each : Gpu.Devices)
    Each.MemoryPeakNode = renumbered(Nodes, Each.MemoryPeakNode);
  for (GpuEvent &Each : Gpu.Events) {
    Each.Thread = renumbered(Threads, Each.Thread);
    Each.MadeIn = renumbered(Nodes, Each.MadeIn);
  }
  for (GpuWait &Each : Gpu.Waits) {
    Each.Waiter = renumbered(Nodes, Each.Waiter);
    Each.Worker = renumbered(Nodes, Each.Worker);
  }
  std::erase_if(Gpu.Waits,
                [](const GpuWait &Each) { return Each.Waiter == None; });
}
// Keeps samples in the remaining nodes. Samples of unknown threads stay only if
// all threads do.
void renumberStacks(StackData &Stacks, const Numbers &Nodes,
                    const Numbers &Threads) {
  bool AllStay =
      std::find(Threads.begin(), Threads.end(), None) == Threads.end();
  for (StackSample &Each : Stacks.Samples) {
    bool IsKnown = Each.Thread != None;
    Each.Node = renumbered(Nodes, Each.Node);
    Each.Thread = renumbered(Threads, Each.Thread);
    if (IsKnown ? Each.Thread == None : !AllStay)
      Each.Node = None;
  }
  std::erase_if(Stacks.Samples,
                [](const StackSample &Each) { return Each.Node == None; });
}
} // namespace

std::string loopscope::threadName(const Thread &T) {
  if (T.IsMain)
    return "main";
  return T.Name.empty() ? fmt::format("thread {}", T.Tid) : T.Name;
}

Run loopscope::keptParts(Run R, const std::vector<bool> &KeptThreads,
                         const std::vector<bool> &KeptNodes) {
  Numbers ThreadTo(R.Threads.size(), None);
  std::vector<Thread> Threads;
  for (size_t I = 0; I < R.Threads.size(); ++I)
    if (KeptThreads[I]) {
      ThreadTo[I] = static_cast<uint32_t>(Threads.size());
      Threads.push_back(std::move(R.Threads[I]));
    }
  Numbers NodeTo(R.Nodes.size(), None);
  // The nearest remaining node at or above each node.
  Numbers Nearest(R.Nodes.size(), None);
  std::vector<Node> Nodes;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    uint32_t Parent = renumbered(Nearest, R.Nodes[I].Parent);
    Nearest[I] = Parent;
    if (!KeptNodes[I])
      continue;
    auto Number = static_cast<uint32_t>(Nodes.size());
    NodeTo[I] = Nearest[I] = Number;
    Nodes.push_back(std::move(R.Nodes[I]));
    Nodes.back().Thread = renumbered(ThreadTo, Nodes.back().Thread);
    Nodes.back().Parent = Parent;
    Nodes.back().Children.clear();
    if (Parent != None)
      Nodes[Parent].Children.push_back(Number);
  }
  for (Thread &Each : Threads) {
    Each.Root = renumbered(NodeTo, Each.Root);
    Each.AwaitingIn = renumbered(NodeTo, Each.AwaitingIn);
  }
  std::vector<std::vector<TimelineSpan>> Timeline;
  for (uint32_t I = 0; I < R.Timeline.size(); ++I)
    if (renumbered(ThreadTo, I) != None) {
      Timeline.push_back(std::move(R.Timeline[I]));
      for (TimelineSpan &Span : Timeline.back())
        Span.Node = renumbered(NodeTo, Span.Node);
      std::erase_if(Timeline.back(),
                    [](const TimelineSpan &Span) { return Span.Node == None; });
    }
  std::vector<FileLane> FileLanes;
  for (uint32_t I = 0; I < R.FileLanes.size(); ++I)
    if (renumbered(ThreadTo, I) != None) {
      FileLanes.push_back(std::move(R.FileLanes[I]));
      for (uint32_t &Each : FileLanes.back().NodeOf)
        Each = renumbered(NodeTo, Each);
    }
  renumberGpu(R.Gpu, NodeTo, ThreadTo);
  // What was held is the process's.
  for (MemoryLane &Lane : R.MemoryOverTime)
    for (MemoryChange &Each : Lane.Changes)
      Each.Node = renumbered(NodeTo, Each.Node);
  renumberStacks(R.Stacks, NodeTo, ThreadTo);
  for (MetricSum &Each : R.Devices.Sums)
    Each.Node = renumbered(NodeTo, Each.Node);
  std::erase_if(R.Devices.Sums,
                [](const MetricSum &Each) { return Each.Node == None; });
  for (CollectiveInstance &Each : R.Collectives) {
    Each.Node = renumbered(NodeTo, Each.Node);
    for (WorkPhase &Phase : Each.Phases)
      Phase.Node = renumbered(NodeTo, Phase.Node);
    std::erase_if(Each.Phases,
                  [](const WorkPhase &Phase) { return Phase.Node == None; });
  }
  std::erase_if(R.Collectives, [](const CollectiveInstance &Each) {
    return Each.Node == None;
  });
  for (PeerSum &Each : R.Peers)
    Each.Node = renumbered(NodeTo, Each.Node);
  std::erase_if(R.Peers, [](const PeerSum &Each) { return Each.Node == None; });
  for (OwnStep &Each : R.OwnSteps) {
    Each.Node = renumbered(NodeTo, Each.Node);
    for (StepPhase &Phase : Each.Phases) {
      Phase.Node = renumbered(NodeTo, Phase.Node);
      Phase.MetNode = renumbered(NodeTo, Phase.MetNode);
    }
    std::erase_if(Each.Phases,
                  [](const StepPhase &Phase) { return Phase.Node == None; });
  }
  std::erase_if(R.OwnSteps,
                [](const OwnStep &Each) { return Each.Node == None; });
  for (OperatorLink &Each : R.OperatorLinks) {
    Each.Backward = renumbered(NodeTo, Each.Backward);
    Each.Forward = renumbered(NodeTo, Each.Forward);
  }
  std::erase_if(R.OperatorLinks, [](const OperatorLink &Each) {
    return Each.Backward == None || Each.Forward == None;
  });
  // Experiments cover the whole run.
  R.Whatif.clear();
  R.Histories.clear();
  R.HostTimes.clear(); // which are those of the whole tree
  R.Threads = std::move(Threads);
  R.Nodes = std::move(Nodes);
  R.Timeline = std::move(Timeline);
  R.FileLanes = std::move(FileLanes);
  return R;
}

namespace {
Result<Run> threadsOfTree(Run R, const std::string &Which) {
  std::vector<std::string> Known;
  std::vector<bool> Wanted(R.Threads.size());
  bool Any = false;
  for (size_t I = 0; I < R.Threads.size(); ++I) {
    Known.push_back(threadName(R.Threads[I]));
    Wanted[I] =
        Known.back() == Which || fmt::format("{}", R.Threads[I].Tid) == Which;
    Any |= Wanted[I];
  }
  if (!Any)
    return noSuchThread(R.Path, Which, Known);
  std::vector<bool> Nodes(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    Nodes[I] = Wanted[R.Nodes[I].Thread];
  return keptParts(std::move(R), Wanted, Nodes);
}

Result<Run> threadsOfEvents(Run From, const std::string &Which) {
  EventStream &Trace = From.Stream;
  std::vector<std::string> Known;
  std::vector<bool> Wanted(Trace.Tracks.size());
  std::vector<bool> Seen(Trace.Tracks.size());
  std::unordered_set<uint64_t> Launches;
  bool Any = false;
  for (const TraceEvent &Event : Trace.Events) {
    if (isDeviceWork(Event.Kind))
      continue;
    if (!Seen[Event.Track]) {
      Seen[Event.Track] = true;
      Known.emplace_back(Trace.Strings[Trace.Tracks[Event.Track].Tid]);
      Wanted[Event.Track] =
          Known.back() == Which || "thread " + Known.back() == Which;
      Any |= Wanted[Event.Track];
    }
    if (Wanted[Event.Track] && Event.Correlation != 0)
      Launches.insert(Event.Correlation);
  }
  if (!Any)
    return noSuchThread(From.Path, Which, Known);
  std::erase_if(Trace.Events, [&](const TraceEvent &Event) {
    return isDeviceWork(Event.Kind) ? Launches.count(Event.Correlation) == 0
                                    : !Wanted[Event.Track];
  });
  return From;
}
} // namespace

Result<Run> loopscope::selectThread(Run From, const std::string &Which) {
  return From.By->KeepsEvents && From.Nodes.empty()
             ? threadsOfEvents(std::move(From), Which)
             : threadsOfTree(std::move(From), Which);
}

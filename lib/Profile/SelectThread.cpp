// Leaves out what other threads did, and renumbers the rest.
#include "Profile/SelectThread.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

using namespace loopscope;

namespace {
// Enough to see what a name looks like.
constexpr size_t NamedAtMost = 12;

Error noSuchThread(const std::string &File, const std::string &Which,
                   const std::vector<std::string> &Known) {
  std::string List;
  for (size_t I = 0; I < std::min(Known.size(), NamedAtMost); ++I)
    List += (I == 0 ? "" : ", ") + Known[I];
  if (Known.size() > NamedAtMost)
    List += fmt::format(" and {} more", Known.size() - NamedAtMost);
  return Error{fmt::format("{}: --thread: there is no thread '{}'; use one of "
                           "{}",
                           File, Which, List)};
}

// Old indices to new ones; None for what goes.
using Numbers = std::vector<uint32_t>;

uint32_t renumbered(const Numbers &To, uint32_t Old) {
  return Old < To.size() ? To[Old] : None;
}

// Device work of the nodes that stay.
void renumberGpu(GpuData &Gpu, const Numbers &Nodes, const Numbers &Threads) {
  auto Keep = [&](auto &From) {
    for (auto &Each : From)
      Each.Node = renumbered(Nodes, Each.Node);
    std::erase_if(From, [](const auto &Each) { return Each.Node == None; });
  };
  Keep(Gpu.Work);
  Keep(Gpu.Nodes);
  Keep(Gpu.Events);
  for (GpuEvent &Each : Gpu.Events)
    Each.Thread = renumbered(Threads, Each.Thread);
  for (GpuWait &Each : Gpu.Waits) {
    Each.Waiter = renumbered(Nodes, Each.Waiter);
    Each.Worker = renumbered(Nodes, Each.Worker);
  }
  std::erase_if(Gpu.Waits,
                [](const GpuWait &Each) { return Each.Waiter == None; });
}
} // namespace

std::string loopscope::threadName(const Thread &T) {
  if (T.IsMain)
    return "main";
  return T.Name.empty() ? fmt::format("thread {}", T.Tid) : T.Name;
}

Result<Profile> loopscope::selectThread(Profile P, const std::string &Which) {
  std::vector<std::string> Known;
  Numbers ThreadTo(P.Threads.size(), None);
  std::vector<Thread> Threads;
  for (uint32_t I = 0; I < P.Threads.size(); ++I) {
    Known.push_back(threadName(P.Threads[I]));
    if (Known.back() != Which && fmt::format("{}", P.Threads[I].Tid) != Which)
      continue;
    ThreadTo[I] = static_cast<uint32_t>(Threads.size());
    Threads.push_back(P.Threads[I]);
  }
  if (Threads.empty())
    return noSuchThread(P.Path, Which, Known);
  Numbers NodeTo(P.Nodes.size(), None);
  std::vector<Node> Nodes;
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    uint32_t Thread = renumbered(ThreadTo, P.Nodes[I].Thread);
    if (Thread == None)
      continue;
    NodeTo[I] = static_cast<uint32_t>(Nodes.size());
    Nodes.push_back(std::move(P.Nodes[I]));
    Nodes.back().Thread = Thread;
  }
  // A node's parent and children are its thread's.
  for (Node &Each : Nodes) {
    Each.Parent = renumbered(NodeTo, Each.Parent);
    for (uint32_t &Child : Each.Children)
      Child = renumbered(NodeTo, Child);
  }
  for (Thread &Each : Threads)
    Each.Root = renumbered(NodeTo, Each.Root);
  std::vector<std::vector<TimelineSpan>> Timeline;
  for (uint32_t I = 0; I < P.Timeline.size(); ++I)
    if (renumbered(ThreadTo, I) != None) {
      Timeline.push_back(std::move(P.Timeline[I]));
      for (TimelineSpan &Span : Timeline.back())
        Span.Node = renumbered(NodeTo, Span.Node);
    }
  renumberGpu(P.Gpu, NodeTo, ThreadTo);
  for (MetricSum &Each : P.Devices.Sums)
    Each.Node = renumbered(NodeTo, Each.Node);
  std::erase_if(P.Devices.Sums,
                [](const MetricSum &Each) { return Each.Node == None; });
  P.Threads = std::move(Threads);
  P.Nodes = std::move(Nodes);
  P.Timeline = std::move(Timeline);
  return P;
}

Result<KinetoTrace> loopscope::selectThread(KinetoTrace Trace,
                                            const std::string &Which) {
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
    return noSuchThread(Trace.File, Which, Known);
  std::erase_if(Trace.Events, [&](const TraceEvent &Event) {
    return isDeviceWork(Event.Kind) ? Launches.count(Event.Correlation) == 0
                                    : !Wanted[Event.Track];
  });
  return Trace;
}

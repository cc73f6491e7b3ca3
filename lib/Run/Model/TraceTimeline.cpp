// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans and device work of a trace.

#include "Run/Model/TraceTimeline.h"

#include "Run/Model/CallTree.h"
#include "Run/Model/LaunchLinks.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace loopscope {
namespace {

// The number that ends NAME; 0 without one.
int64_t numberOf(std::string_view Name) {
  std::string_view Digits = stepNumber(Name);
  int64_t Number = 0;
  std::from_chars(Digits.data(), Digits.data() + Digits.size(), Number);
  return Number;
}

int64_t firstOf(const EventStream &Stream) {
  int64_t First = INT64_MAX;
  for (const TraceEvent &Event : Stream.Events)
    First = std::min(First, Event.Start);
  return First;
}

// The host's calls as spans.
class HostSpans {
public:
  explicit HostSpans(const Run &P)
      : P(P), Stream(P.Stream), First(firstOf(P.Stream)) {}

  std::vector<std::vector<TimelineSpan>> take() {
    Result.resize(P.Threads.size());
    auto Cut = Stream.Cuts.begin();
    for (uint32_t E = 0; E < Stream.Events.size(); ++E) {
      const TraceEvent &Event = Stream.Events[E];
      if (isDeviceWork(Event.Kind))
        continue;
      if (Cut != Stream.Cuts.end() && Cut->Event == E)
        for (; Cut != Stream.Cuts.end() && Cut->Event == E; ++Cut)
          addSpan(*Cut);
      else if (Stream.NodeOf[E] != None && Event.Kind != TraceKind::Runtime)
        addSpan({E, Stream.NodeOf[E], Event.Start, Event.end()});
    }
    for (std::vector<TimelineSpan> &Track : Result)
      std::stable_sort(Track.begin(), Track.end(), comesBefore);
    return std::move(Result);
  }

private:
  // Outer spans first; of spans of the same length, the one whose node is
  // above.
  static bool comesBefore(const TimelineSpan &A, const TimelineSpan &B) {
    if (A.StartNs != B.StartNs)
      return A.StartNs < B.StartNs;
    return A.EndNs != B.EndNs ? A.EndNs > B.EndNs : A.Node < B.Node;
  }

  // Adds what the tree has of an event.
  void addSpan(const CutEvent &Of) {
    const TraceEvent &Event = Stream.Events[Of.Event];
    const Node &N = P.Nodes[Of.Node];
    // Anything without a node of its own counts as part of what is around it.
    bool IsOwn = N.Kind == LOOPSCOPE_KIND_STEP ||
                 N.Kind == LOOPSCOPE_KIND_DRAW ||
                 P.nameOf(N) == Stream.name(Event);
    if (!IsOwn)
      return;
    TimelineSpan Span;
    Span.Node = Of.Node;
    Span.StartNs = Of.Start - First;
    Span.EndNs = Of.End - First;
    std::vector<TimelineSpan> &Track = Result[N.Thread];
    if (N.Kind == LOOPSCOPE_KIND_STEP) {
      Span.Step = numberOf(Stream.name(Event));
      Track.push_back(Span);
      // A trace doesn't distinguish the batch from its step.
      Span.Step = -1;
      Span.Node = N.Children.back();
    }
    Track.push_back(Span);
  }

  const Run &P;
  const EventStream &Stream;
  int64_t First;
  std::vector<std::vector<TimelineSpan>> Result;
};

class TimelineBuilder {
public:
  explicit TimelineBuilder(Run &To)
      : P(To), Stream(To.Stream), First(firstOf(To.Stream)) {}

  void build() {
    P.StartMonotonicNs = First;
    P.Timeline = HostSpans(P).take();
    LaunchLinks Links(Stream);
    std::vector<uint32_t> CallOf(Stream.Events.size(), 0);
    for (uint32_t I = 0; I < Links.runtimes().size(); ++I)
      for (uint32_t Work : Links.launchedBy(I))
        CallOf[Work] = I + 1;
    for (uint32_t E = 0; E < Stream.Events.size(); ++E)
      if (const TraceEvent &Event = Stream.Events[E]; isDeviceWork(Event.Kind))
        addWork(Event, Stream.NodeOf[E], CallOf[E]);
    addCalls(Links);
    std::stable_sort(P.Gpu.Events.begin(), P.Gpu.Events.end(),
                     [](const GpuEvent &A, const GpuEvent &B) {
                       return A.StartNs < B.StartNs;
                     });
  }

private:
  // The threads' indices by track, None where a track has no tree.
  std::vector<uint32_t> threadsOfTracks() const {
    std::vector<uint32_t> Threads(Stream.Tracks.size(), None);
    for (size_t E = 0; E < Stream.Events.size(); ++E)
      if (const TraceEvent &Event = Stream.Events[E];
          Stream.NodeOf[E] != None && !isDeviceWork(Event.Kind) &&
          Event.Kind != TraceKind::Runtime)
        Threads[Event.Track] = P.Nodes[Stream.NodeOf[E]].Thread;
    return Threads;
  }

  // Calls that launch work or wait for it. Work has its call's number, starting
  // at 1, as its correlation: a trace's own ids may be wider.
  void addCalls(const LaunchLinks &Links) {
    std::vector<uint32_t> ThreadOf = threadsOfTracks();
    std::map<uint32_t, uint32_t> FunctionOf;
    CallUses Uses(Stream);
    for (uint32_t I = 0; I < Links.runtimes().size(); ++I) {
      uint32_t E = Links.runtimes()[I];
      const TraceEvent &Event = Stream.Events[E];
      CallUse Use = Uses.of(Event);
      if (Use == CallUse::Other)
        continue;
      auto [Function, IsNew] = FunctionOf.try_emplace(
          Event.Name, static_cast<uint32_t>(P.Gpu.Functions.size()));
      if (IsNew)
        P.Gpu.Functions.emplace_back(Stream.name(Event));
      GpuEvent Call;
      Call.StartNs = Event.Start - First;
      Call.EndNs = Event.end() - First;
      Call.Kind = Use == CallUse::Wait ? LOOPSCOPE_GPU_WAIT_CALL
                                       : LOOPSCOPE_GPU_LAUNCH_CALL;
      Call.Node = Stream.NodeOf[E];
      Call.Function = Function->second;
      Call.Correlation = I + 1;
      Call.Thread = ThreadOf[Event.Track];
      P.Gpu.Events.push_back(Call);
    }
  }

  void addWork(const TraceEvent &Event, uint32_t LaunchedIn, uint32_t Call) {
    GpuEvent Work;
    Work.Correlation = Call;
    Work.StartNs = Event.Start - First;
    Work.EndNs = Event.end() - First;
    Work.Kind = Event.Kind == TraceKind::Kernel   ? LOOPSCOPE_GPU_KERNEL
                : Event.Kind == TraceKind::Memcpy ? LOOPSCOPE_GPU_COPY
                                                  : LOOPSCOPE_GPU_SET;
    Work.Node = LaunchedIn;
    Work.Device = deviceOf(Stream.Devices[Event.Device].Device);
    Work.Stream = static_cast<uint32_t>(
        numberOf(Stream.Strings[Stream.Tracks[Event.Track].Tid]));
    P.Gpu.Events.push_back(Work);
  }

  uint32_t deviceOf(int64_t Id) {
    auto [At, IsNew] =
        DeviceOf.try_emplace(Id, static_cast<uint32_t>(P.Gpu.Devices.size()));
    if (IsNew) {
      GpuDevice Device;
      Device.Id = static_cast<uint32_t>(Id);
      P.Gpu.Devices.push_back(std::move(Device));
    }
    return At->second;
  }

  Run &P;
  const EventStream &Stream;
  int64_t First;
  std::map<int64_t, uint32_t> DeviceOf;
};

} // namespace

std::vector<std::vector<TimelineSpan>> hostSpans(Run &Of) {
  addTree(Of, EventNodes::Yes);
  return HostSpans(Of).take();
}

void addTimeline(Run &To) {
  if (!To.By->KeepsEvents || !To.Timeline.empty())
    return;
  addTree(To, EventNodes::Yes);
  TimelineBuilder(To).build();
}

} // namespace loopscope

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers the spans of a timeline, and the events of a trace.

#include "Report/Html/HtmlLanes.h"

#include "Analysis/Device/GpuTimeline.h"
#include "Analysis/Device/KernelRows.h"
#include "Analysis/Steps/RangeLanes.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Analysis/Tree/PathTree.h"
#include "Run/Combine/SelectThread.h"
#include "Run/Model/LaunchLinks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
// Spans of threads, then the work of each stream, then ranges.
class TimelineLanes : public HtmlLanes {
public:
  explicit TimelineLanes(const Run &R)
      : R(R), Streams(deviceTracks(R)), Ranges(rangeLanes(R)) {
    for (size_t I = 0; I < R.Timeline.size(); ++I)
      addLane(R.fileLane(I) ? 0 : R.Timeline[I].size());
    for (const DeviceTrack &Stream : Streams)
      addLane(Stream.Events.size());
    for (const RangeLane &Each : Ranges)
      addLane(Each.Spans.size());
    for (uint32_t I = 0; I < R.Gpu.Events.size(); ++I)
      if (const GpuEvent &E = R.Gpu.Events[I];
          !E.isDeviceWork() && E.Correlation != 0 && E.Thread != None)
        CallOf[{R.Threads[E.Thread].Process, E.Correlation}] = I;
  }

  size_t size() const override { return Firsts.empty() ? 0 : Ends.back(); }

  LaneSpan at(size_t Span) const override {
    auto [Lane, Index] = placeOf(Span);
    if (const TimelineSpan *Found = spanAt(Lane, Index))
      return {Lane, Found->StartNs, Found->EndNs};
    if (const RangeSpan *Found = rangeAt(Lane, Index))
      return {Lane, Found->StartNs, Found->EndNs};
    const GpuEvent &E = workAt(Lane, Index);
    return {Lane, E.StartNs, E.EndNs};
  }

  std::string nameOf(size_t Span) const override {
    auto [Lane, Index] = placeOf(Span);
    if (const TimelineSpan *Found = spanAt(Lane, Index))
      return treeName(R, R.Nodes[Found->Node]);
    if (const RangeSpan *Found = rangeAt(Lane, Index))
      return R.Ranges[Found->Range].Name;
    return kernelName(deviceWorkName(R, workAt(Lane, Index)));
  }

  uint64_t nameKey(size_t Span) const override {
    auto [Lane, Index] = placeOf(Span);
    if (const TimelineSpan *Found = spanAt(Lane, Index))
      return Found->Node;
    if (const RangeSpan *Found = rangeAt(Lane, Index))
      return uint64_t{1} << 57 | Found->Range;
    const GpuEvent &E = workAt(Lane, Index);
    uint64_t Work = E.Kind == LOOPSCOPE_GPU_KERNEL
                        ? E.Function
                        : uint64_t{E.Kind} << 40 | uint64_t{E.Direction} << 32;
    return uint64_t{1} << 56 | Work;
  }

  uint32_t nodeOf(size_t Span) const override {
    auto [Lane, Index] = placeOf(Span);
    const TimelineSpan *Found = spanAt(Lane, Index);
    if (!Found && rangeAt(Lane, Index))
      return None;
    return Found ? Found->Node : workAt(Lane, Index).Node;
  }

  std::optional<LaneLaunch> launchOf(size_t Span) const override {
    auto [Lane, Index] = placeOf(Span);
    if (spanAt(Lane, Index) || rangeAt(Lane, Index))
      return std::nullopt;
    const GpuEvent &E = workAt(Lane, Index);
    auto Call = CallOf.find({R.Gpu.Devices[E.Device].Process, E.Correlation});
    if (E.Correlation == 0 || Call == CallOf.end())
      return std::nullopt;
    const GpuEvent &Launch = R.Gpu.Events[Call->second];
    return LaneLaunch{Launch.Thread, Launch.StartNs};
  }

  std::string laneName(uint32_t Lane) const override {
    if (Lane >= R.Timeline.size() + Streams.size())
      return Ranges[Lane - R.Timeline.size() - Streams.size()].Name;
    if (Lane >= R.Timeline.size())
      return Streams[Lane - R.Timeline.size()].Name;
    const Thread &Of = R.Threads[Lane];
    return Of.Process.empty()
               ? threadName(Of)
               : fmt::format("{} {}", Of.Process, threadName(Of));
  }

private:
  void addLane(size_t Spans) {
    Firsts.push_back(Ends.empty() ? 0 : Ends.back());
    Ends.push_back(Firsts.back() + Spans);
  }

  // The lane of a span, and its number there.
  std::pair<uint32_t, size_t> placeOf(size_t Span) const {
    auto After = std::upper_bound(Ends.begin(), Ends.end(), Span);
    auto Lane = static_cast<uint32_t>(After - Ends.begin());
    return {Lane, Span - Firsts[Lane]};
  }

  const TimelineSpan *spanAt(uint32_t Lane, size_t Index) const {
    return Lane < R.Timeline.size() ? &R.Timeline[Lane][Index] : nullptr;
  }

  const RangeSpan *rangeAt(uint32_t Lane, size_t Index) const {
    size_t Above = R.Timeline.size() + Streams.size();
    return Lane < Above ? nullptr
                        : &R.RangeSpans[Ranges[Lane - Above].Spans[Index]];
  }

  const GpuEvent &workAt(uint32_t Lane, size_t Index) const {
    return R.Gpu.Events[Streams[Lane - R.Timeline.size()].Events[Index]];
  }

  const Run &R;
  std::vector<DeviceTrack> Streams;
  std::vector<RangeLane> Ranges;
  std::vector<size_t> Firsts, Ends; // by lane, its spans' numbers
  std::map<std::pair<std::string, uint32_t>, uint32_t> CallOf;
};

// Events in the order of the file. A track's events of the host are one lane,
// its device work another.
class EventLanes : public HtmlLanes {
public:
  explicit EventLanes(const Run &R)
      : Trace(R.Stream), FirstOf(2 * Trace.Tracks.size(), None) {
    std::set<uint32_t> Processes;
    for (uint32_t E = 0; E < Trace.Events.size(); ++E) {
      uint32_t Lane = EventLanes::at(E).Lane;
      if (Lane == None || FirstOf[Lane] != None)
        continue;
      FirstOf[Lane] = E;
      if (Lane < Trace.Tracks.size())
        Processes.insert(Trace.Tracks[Lane].Pid);
    }
    HasProcesses = Processes.size() > 1;
    if (!Trace.Links)
      return;
    CallOf.assign(Trace.Events.size(), None);
    const std::vector<uint32_t> &Calls = Trace.Links->runtimes();
    for (uint32_t I = 0; I < Calls.size(); ++I)
      for (uint32_t Work : Trace.Links->launchedBy(I))
        CallOf[Work] = Calls[I];
  }

  size_t size() const override { return Trace.Events.size(); }

  // The profiler's own spans aren't work.
  LaneSpan at(size_t Span) const override {
    const TraceEvent &Event = Trace.Events[Span];
    if (Event.Kind == TraceKind::Span || Event.Kind == TraceKind::Other)
      return {};
    uint32_t Above = isDeviceWork(Event.Kind)
                         ? static_cast<uint32_t>(Trace.Tracks.size())
                         : 0;
    return {Above + Event.Track, Event.Start, Event.end()};
  }

  std::string nameOf(size_t Span) const override {
    return kernelName(std::string(Trace.name(Trace.Events[Span])));
  }

  uint64_t nameKey(size_t Span) const override {
    return Trace.Events[Span].Name;
  }

  uint32_t nodeOf(size_t Span) const override {
    return Span < Trace.NodeOf.size() ? Trace.NodeOf[Span] : None;
  }

  std::optional<LaneLaunch> launchOf(size_t Span) const override {
    if (CallOf.empty() || CallOf[Span] == None)
      return std::nullopt;
    LaneSpan Call = at(CallOf[Span]);
    return LaneLaunch{Call.Lane, Call.StartNs};
  }

  std::string laneName(uint32_t Lane) const override {
    bool IsDevice = Lane >= Trace.Tracks.size();
    const TraceTrack &Track =
        Trace.Tracks[IsDevice ? Lane - Trace.Tracks.size() : Lane];
    std::string Tid(Trace.Strings[Track.Tid]);
    if (IsDevice)
      return fmt::format(
          "GPU {} {}{}",
          Trace.Devices[Trace.Events[FirstOf[Lane]].Device].Device,
          Tid.starts_with("stream") ? "" : "stream ", Tid);
    std::string Name =
        (Tid.starts_with("thread") ? std::string() : "thread ") + Tid;
    return HasProcesses
               ? fmt::format("process {} {}", Trace.Strings[Track.Pid], Name)
               : Name;
  }

private:
  const EventStream &Trace;
  std::vector<uint32_t> FirstOf; // by lane, an event on it
  std::vector<uint32_t> CallOf;  // by event: the call that launched the work
  bool HasProcesses = false;
};
} // namespace

std::unique_ptr<HtmlLanes> loopscope::htmlLanes(const Run &R) {
  if (R.By->KeepsEvents)
    return std::make_unique<EventLanes>(R);
  return std::make_unique<TimelineLanes>(R);
}

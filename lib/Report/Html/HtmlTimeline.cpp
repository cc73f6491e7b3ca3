// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's timeline, from the spans of a run in trace mode.

#include "Report/Html/HtmlTimeline.h"

#include "Analysis/Device/GpuTimeline.h"
#include "Analysis/Device/KernelRows.h"
#include "Analysis/Steps/TimelineEvents.h"
#include "Run/Combine/SelectThread.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

using namespace loopscope;

namespace {
using Windows = std::vector<std::pair<int64_t, int64_t>>;

// The part of a run that is on the timeline: its end, and the slowest steps.
struct Choice {
  int64_t From = INT64_MIN;
  Windows Slow;
  size_t Spans = 0; // of the whole run

  bool has(int64_t Start, int64_t End) const {
    return End >= From || std::any_of(Slow.begin(), Slow.end(), [&](auto &W) {
             return Start >= W.first && End <= W.second;
           });
  }
};

// As many of the slowest steps as keep the page small.
void addSlow(const StepBars &Steps,
             const std::vector<std::pair<int64_t, int64_t>> &Spans,
             Choice &To) {
  size_t Room = MaxHtmlSpans / 4;
  for (const SlowStep &Each : Steps.Slowest) {
    const StepBar &Step = Steps.Steps[Each.Step];
    auto Within = static_cast<size_t>(
        std::count_if(Spans.begin(), Spans.end(), [&](const auto &S) {
          return S.first >= Step.StartNs && S.second <= Step.EndNs;
        }));
    if (Within > Room)
      continue;
    Room -= Within;
    To.Slow.emplace_back(Step.StartNs, Step.EndNs);
  }
}

Choice chooseSpans(const Run &P, const std::vector<DeviceTrack> &Streams,
                   const StepBars &Steps) {
  std::vector<std::pair<int64_t, int64_t>> Spans;
  for (const std::vector<TimelineSpan> &Track : P.Timeline)
    for (const TimelineSpan &S : Track)
      Spans.emplace_back(S.StartNs, S.EndNs);
  for (const DeviceTrack &Stream : Streams)
    for (uint32_t Event : Stream.Events)
      Spans.emplace_back(P.Gpu.Events[Event].StartNs,
                         P.Gpu.Events[Event].EndNs);
  Choice Result;
  Result.Spans = Spans.size();
  if (Spans.size() <= MaxHtmlSpans)
    return Result;
  addSlow(Steps, Spans, Result);
  auto Cut = Spans.end() - MaxHtmlSpans;
  std::nth_element(
      Spans.begin(), Cut, Spans.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  Result.From = Cut->second;
  return Result;
}

class Builder {
public:
  Builder(const Run &P, const HtmlPaths &Paths) : P(P), Paths(Paths) {
    for (uint32_t I = 0; I < P.Gpu.Events.size(); ++I)
      if (const GpuEvent &E = P.Gpu.Events[I];
          !E.isDeviceWork() && E.Correlation != 0 && E.Thread != None)
        CallOf[{P.Threads[E.Thread].Process, E.Correlation}] = I;
  }

  void addThread(size_t T, const Choice &Chosen);
  void addStream(const DeviceTrack &Stream, const Choice &Chosen);

  HtmlTimeline Result;

private:
  uint32_t nameId(const std::string &Name) {
    auto [At, New] =
        Names.try_emplace(Name, static_cast<uint32_t>(Names.size()));
    if (New)
      Result.Names.push_back(Name);
    return At->second;
  }
  uint32_t shown(uint32_t Node) const {
    return Node == None ? None : Paths.Shown[Node];
  }

  const Run &P;
  const HtmlPaths &Paths;
  std::map<std::string, uint32_t> Names;
  std::map<std::pair<std::string, uint32_t>, uint32_t> CallOf;
  std::map<uint32_t, uint32_t> TrackOf; // by thread
};
} // namespace

void Builder::addThread(size_t T, const Choice &Chosen) {
  HtmlTimeline::Track Track;
  const std::string &Process = P.Threads[T].Process;
  Track.Name = Process.empty()
                   ? threadName(P.Threads[T])
                   : fmt::format("{} {}", Process, threadName(P.Threads[T]));
  for (const TimelineSpan &S : P.Timeline[T]) {
    if (!Chosen.has(S.StartNs, S.EndNs))
      continue;
    uint32_t Depth = 0;
    for (uint32_t N = P.Nodes[S.Node].Parent;
         N != None && P.Nodes[N].Parent != None; N = P.Nodes[N].Parent)
      ++Depth;
    Track.Spans.push_back({S.StartNs, S.EndNs - S.StartNs,
                           nameId(treeName(P, P.Nodes[S.Node])), Depth,
                           shown(S.Node)});
  }
  if (Track.Spans.empty())
    return;
  TrackOf[static_cast<uint32_t>(T)] =
      static_cast<uint32_t>(Result.Tracks.size());
  Result.Tracks.push_back(std::move(Track));
}

void Builder::addStream(const DeviceTrack &Stream, const Choice &Chosen) {
  HtmlTimeline::Track Track;
  Track.Name = Stream.Name;
  for (uint32_t Event : Stream.Events) {
    const GpuEvent &E = P.Gpu.Events[Event];
    if (!Chosen.has(E.StartNs, E.EndNs))
      continue;
    HtmlSpan Span{E.StartNs, E.EndNs - E.StartNs,
                  nameId(kernelName(deviceWorkName(P, E))), 0, shown(E.Node)};
    auto Call = CallOf.find({P.Gpu.Devices[E.Device].Process, E.Correlation});
    if (E.Correlation != 0 && Call != CallOf.end()) {
      const GpuEvent &Launch = P.Gpu.Events[Call->second];
      if (auto On = TrackOf.find(Launch.Thread); On != TrackOf.end()) {
        Span.LaunchTrack = On->second;
        Span.LaunchNs = Launch.StartNs;
      }
    }
    Track.Spans.push_back(Span);
  }
  if (!Track.Spans.empty())
    Result.Tracks.push_back(std::move(Track));
}

void loopscope::placeSteps(int64_t Base, int64_t From, const Windows &Slow,
                           StepBars &Steps) {
  for (StepBar &Each : Steps.Steps) {
    bool IsThere = Each.StartNs >= From ||
                   std::find(Slow.begin(), Slow.end(),
                             std::pair(Each.StartNs, Each.EndNs)) != Slow.end();
    int64_t Length = Each.EndNs - Each.StartNs;
    Each.StartNs = IsThere ? Each.StartNs - Base : -1;
    Each.EndNs = Each.StartNs + Length;
  }
}

bool loopscope::isCut(const Run &P) {
  return P.TimelineIsCut || P.Gpu.EventsAreCut;
}

HtmlTimeline loopscope::htmlTimeline(const Run &P, const HtmlPaths &Paths,
                                     StepBars &Steps) {
  std::vector<DeviceTrack> Streams = deviceTracks(P);
  Choice Chosen = chooseSpans(P, Streams, Steps);
  if (Chosen.Spans == 0)
    return {};
  Builder Made(P, Paths);
  for (size_t T = 0; T < P.Timeline.size(); ++T)
    Made.addThread(T, Chosen);
  for (const DeviceTrack &Stream : Streams)
    Made.addStream(Stream, Chosen);
  Made.Result.Note =
      Chosen.Spans > MaxHtmlSpans
          ? fmt::format("The last {} of {}{} spans{}.", MaxHtmlSpans,
                        isCut(P) ? "more than " : "", Chosen.Spans,
                        Chosen.Slow.empty() ? "" : " and the slowest steps")
          : fmt::format("{} {} spans of the timeline.",
                        isCut(P) ? "The last" : "All", Chosen.Spans);
  placeSteps(0, Chosen.From, Chosen.Slow, Steps);
  return std::move(Made.Result);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's timeline of a PyTorch trace: as many of the last steps as a
// browser can show, with host threads above GPU streams.

#include "Report/Html/HtmlTimeline.h"

#include "Analysis/Device/KernelRows.h"
#include "Report/Html/HtmlParts.h"
#include "Run/Model/LaunchLinks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
// Whether the event belongs on the timeline: work, not the profiler's own
// spans.
bool isShown(const TraceEvent &Event) {
  return Event.Kind != TraceKind::Span && Event.Kind != TraceKind::Other;
}

// The last complete steps with at most MaxHtmlSpans events, but at least one
// step.
struct Choice {
  int64_t From = INT64_MIN;
  size_t Steps = 0;
};

Choice lastSteps(const std::vector<const TraceEvent *> &Events,
                 const std::vector<TraceStep> &Steps) {
  std::vector<int64_t> Ends;
  for (const TraceEvent *Event : Events)
    Ends.push_back(Event->end());
  std::sort(Ends.begin(), Ends.end());
  Choice Chosen;
  for (size_t I = Steps.size(); I-- > 0;) {
    int64_t Start = Steps[I].Host.Start;
    auto Count = Ends.end() - std::upper_bound(Ends.begin(), Ends.end(), Start);
    if (Chosen.Steps != 0 && static_cast<size_t>(Count) > MaxHtmlSpans)
      break;
    Chosen = {Start, Chosen.Steps + 1};
  }
  return Chosen;
}

std::string trackName(const EventStream &Trace, const TraceEvent &Event,
                      bool ManyProcesses) {
  const TraceTrack &Track = Trace.Tracks[Event.Track];
  std::string Tid(Trace.Strings[Track.Tid]);
  if (isDeviceWork(Event.Kind))
    return fmt::format("GPU {} {}{}", Trace.Devices[Event.Device].Device,
                       Tid.starts_with("stream") ? "" : "stream ", Tid);
  std::string Name =
      (Tid.starts_with("thread") ? std::string() : "thread ") + Tid;
  if (ManyProcesses)
    Name = fmt::format("process {} {}", Trace.Strings[Track.Pid], Name);
  return Name;
}

// Numbers names in order of first use.
class NameTable {
public:
  NameTable(const EventStream &Trace, std::vector<std::string> &Into)
      : Trace(Trace), Into(Into) {}

  uint32_t operator()(uint32_t Name) {
    auto [At, New] =
        Numbers.try_emplace(Name, static_cast<uint32_t>(Into.size()));
    if (New)
      Into.push_back(kernelName(Trace.Strings[Name]));
    return At->second;
  }

private:
  const EventStream &Trace;
  std::vector<std::string> &Into;
  std::map<uint32_t, uint32_t> Numbers;
};

// Rows within a track: an event is one row below those that contain it.
class Rows {
public:
  uint32_t place(const TraceEvent &Event) {
    while (!Ends.empty() && Ends.back() <= Event.Start)
      Ends.pop_back();
    Ends.push_back(Event.end());
    return static_cast<uint32_t>(Ends.size() - 1);
  }

private:
  std::vector<int64_t> Ends;
};

// The call that launched a piece of device work.
class Launches {
public:
  explicit Launches(const EventStream &Trace) : Trace(Trace) {
    if (!Trace.Links)
      return;
    CallOf.assign(Trace.Events.size(), LaunchLinks::None);
    const std::vector<uint32_t> &Calls = Trace.Links->runtimes();
    for (uint32_t I = 0; I < Calls.size(); ++I)
      for (uint32_t Work : Trace.Links->launchedBy(I))
        CallOf[Work] = Calls[I];
  }

  const TraceEvent *of(size_t Work) const {
    return Work >= CallOf.size() || CallOf[Work] == LaunchLinks::None
               ? nullptr
               : &Trace.Events[CallOf[Work]];
  }

private:
  const EventStream &Trace;
  std::vector<uint32_t> CallOf;
};
} // namespace

HtmlTimeline loopscope::htmlTimeline(const Run &P, const HtmlPaths &Paths,
                                     const StepAnalysis &Analysis,
                                     StepBars &Steps) {
  const EventStream &Trace = P.Stream;
  HtmlTimeline Result;
  std::vector<const TraceEvent *> Events;
  for (const TraceEvent &Event : Trace.Events)
    if (isShown(Event))
      Events.push_back(&Event);
  if (Events.empty())
    return Result;
  Choice Chosen = lastSteps(Events, Analysis.Steps);
  std::erase_if(Events, [&](const TraceEvent *Event) {
    return Event->end() <= Chosen.From;
  });
  size_t All = Events.size();
  if (All > MaxHtmlSpans) {
    std::nth_element(
        Events.begin(), Events.begin() + MaxHtmlSpans, Events.end(),
        [](const auto *A, const auto *B) { return A->Duration > B->Duration; });
    Events.resize(MaxHtmlSpans);
  }
  std::sort(Events.begin(), Events.end(), [](const auto *A, const auto *B) {
    if (A->Start != B->Start)
      return A->Start < B->Start;
    if (A->Duration != B->Duration)
      return A->Duration > B->Duration;
    return A < B; // the order of the file
  });
  if (Events.empty())
    return Result;
  int64_t Base = std::max(Chosen.From, Events.front()->Start);

  // Host threads first, then streams, each in the order of their names.
  std::map<std::pair<bool, uint32_t>, std::vector<const TraceEvent *>> ByTrack;
  std::map<uint32_t, bool> Processes;
  for (const TraceEvent *Event : Events) {
    bool OnDevice = isDeviceWork(Event->Kind);
    ByTrack[{OnDevice, Event->Track}].push_back(Event);
    if (!OnDevice)
      Processes[Trace.Tracks[Event->Track].Pid] = true;
  }
  NameTable Number(Trace, Result.Names);
  Launches Calls(Trace);
  std::map<uint32_t, uint32_t> HostTracks;
  for (const auto &[Key, Spans] : ByTrack) {
    HtmlTimeline::Track Track;
    Track.Name = trackName(Trace, *Spans.front(), Processes.size() > 1);
    if (!Key.first)
      HostTracks[Key.second] = static_cast<uint32_t>(Result.Tracks.size());
    Rows Place;
    for (const TraceEvent *Event : Spans) {
      int64_t Start = std::max(Event->Start, Base);
      HtmlSpan Span{Start - Base, Event->end() - Start, Number(Event->Name),
                    Place.place(*Event), None};
      auto Index = static_cast<size_t>(Event - Trace.Events.data());
      if (Index < Trace.NodeOf.size() &&
          Trace.NodeOf[Index] < Paths.Shown.size())
        Span.Node = Paths.Shown[Trace.NodeOf[Index]];
      if (const TraceEvent *Call = Calls.of(Index);
          Call && Call->Start >= Base && HostTracks.contains(Call->Track)) {
        Span.LaunchTrack = HostTracks[Call->Track];
        Span.LaunchNs = Call->Start - Base;
      }
      Track.Spans.push_back(Span);
    }
    Result.Tracks.push_back(std::move(Track));
  }
  placeSteps(Base, Base, {}, Steps);
  std::string What = Analysis.NoStepMarks ? "The whole run"
                     : Chosen.Steps == 1
                         ? "The last step"
                         : fmt::format("The last {} steps", Chosen.Steps);
  Result.Note = All > MaxHtmlSpans
                    ? fmt::format("{}: the longest {} of its {} events.", What,
                                  MaxHtmlSpans, All)
                    : fmt::format("{}, {} events.", What, All);
  return Result;
}

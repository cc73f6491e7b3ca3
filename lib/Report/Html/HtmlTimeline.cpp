// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's timeline and step bars, from the spans of a run in trace
// mode.

#include "Report/Html/HtmlTimeline.h"

#include "Analysis/GpuTimeline.h"
#include "Analysis/KernelRows.h"
#include "Analysis/PathTree.h"
#include "Analysis/StepTimeline.h"
#include "Analysis/TimelineEvents.h"
#include "Report/Html/HtmlParts.h"
#include "Run/Combine/SelectThread.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
// The track with the most steps: the training thread's.
const std::vector<TimelineSpan> *stepTrack(const Run &P) {
  const std::vector<TimelineSpan> *Best = nullptr;
  ptrdiff_t Most = 0;
  for (const std::vector<TimelineSpan> &Track : P.Timeline) {
    ptrdiff_t Steps =
        std::count_if(Track.begin(), Track.end(), [](const TimelineSpan &S) {
          return S.Step >= 0 && !S.Open;
        });
    if (Steps > Most) {
      Most = Steps;
      Best = &Track;
    }
  }
  return Best;
}

// The steps of TRACK that have ended, by their start. Where there are training
// steps, only these: an average over other loops too would say nothing.
std::vector<const TimelineSpan *>
finishedSteps(const Run &P, const std::vector<TimelineSpan> &Track) {
  std::vector<const TimelineSpan *> Steps;
  for (size_t I : stepsOf(P, Track))
    if (!Track[I].Open)
      Steps.push_back(&Track[I]);
  auto Trains = [&](const TimelineSpan *S) {
    return isTrainingStep(P, P.Nodes[S->Node]);
  };
  if (std::any_of(Steps.begin(), Steps.end(), Trains))
    std::erase_if(Steps, [&](const auto *S) { return !Trains(S); });
  return Steps;
}
} // namespace

HtmlStack loopscope::htmlStack(const Run &P) {
  HtmlStack Stack;
  const std::vector<TimelineSpan> *Track = stepTrack(P);
  if (Track == nullptr)
    return Stack;
  std::vector<const TimelineSpan *> Steps = finishedSteps(P, *Track);
  if (Steps.size() > MaxHtmlSteps)
    Steps.erase(Steps.begin(), Steps.end() - MaxHtmlSteps);
  // One more place each, for the average.
  std::vector<double> Rest(Steps.size() + 1);
  for (size_t I = 0; I < Steps.size(); ++I) {
    Rest[I] = toSeconds(Steps[I]->EndNs - Steps[I]->StartNs);
    Stack.Labels.push_back(fmt::format("{}", Steps[I]->Step));
  }
  std::map<std::string, std::vector<double>> ByPart;
  // The last part so far, which a cut may be in.
  std::vector<double> *LastPart = nullptr;
  int64_t LastPartEnd = INT64_MIN;
  for (const TimelineSpan &S : *Track) {
    const Node &N = P.Nodes[S.Node];
    if (!N.IsCut && !isStepPart(P, N))
      continue;
    auto After = std::upper_bound(
        Steps.begin(), Steps.end(), S.StartNs,
        [](int64_t Start, const auto *Step) { return Start < Step->StartNs; });
    if (After == Steps.begin() || S.EndNs > (*(After - 1))->EndNs)
      continue;
    auto I = static_cast<size_t>(After - 1 - Steps.begin());
    double Seconds = toSeconds(S.EndNs - S.StartNs);
    std::vector<double> &Around =
        N.IsCut && S.EndNs <= LastPartEnd ? *LastPart : Rest;
    if (N.IsCut) {
      Around[I] = std::max(Around[I] - Seconds, 0.0);
      continue;
    }
    std::vector<double> &Part = ByPart[treeName(P, N)];
    Part.resize(Steps.size() + 1);
    Part[I] += Seconds;
    Rest[I] = std::max(Rest[I] - Seconds, 0.0);
    LastPart = &Part;
    LastPartEnd = S.EndNs;
  }
  ByPart["(rest)"] = std::move(Rest);
  Stack.Labels.emplace_back("average");
  for (auto &[Name, Seconds] : ByPart) {
    double Sum = 0;
    for (double Each : Seconds)
      Sum += Each;
    Seconds.back() = Sum / static_cast<double>(Steps.size());
    Stack.Parts.emplace_back(Name, std::move(Seconds));
  }
  return Stack;
}

HtmlTimeline loopscope::htmlTimeline(const Run &P) {
  HtmlTimeline Result;
  std::vector<int64_t> Ends;
  for (const std::vector<TimelineSpan> &Track : P.Timeline)
    for (const TimelineSpan &S : Track)
      Ends.push_back(S.EndNs);
  std::vector<DeviceTrack> Streams = deviceTracks(P);
  for (const DeviceTrack &Stream : Streams)
    for (uint32_t Event : Stream.Events)
      Ends.push_back(P.Gpu.Events[Event].EndNs);
  if (Ends.empty())
    return Result;
  int64_t From = INT64_MIN;
  if (Ends.size() > MaxHtmlSpans) {
    auto Cut = Ends.end() - MaxHtmlSpans;
    std::nth_element(Ends.begin(), Cut, Ends.end());
    From = *Cut;
  }
  std::map<std::string, uint32_t> Names;
  auto NameId = [&](const std::string &Name) {
    auto [At, New] =
        Names.try_emplace(Name, static_cast<uint32_t>(Names.size()));
    if (New)
      Result.Names.push_back(Name);
    return At->second;
  };
  for (size_t T = 0; T < P.Timeline.size(); ++T) {
    HtmlTimeline::Track Track;
    const std::string &Process = P.Threads[T].Process;
    Track.Name = Process.empty()
                     ? threadName(P.Threads[T])
                     : fmt::format("{} {}", Process, threadName(P.Threads[T]));
    for (const TimelineSpan &S : P.Timeline[T]) {
      if (S.EndNs < From)
        continue;
      uint32_t Depth = 0;
      for (uint32_t N = P.Nodes[S.Node].Parent;
           N != None && P.Nodes[N].Parent != None; N = P.Nodes[N].Parent)
        ++Depth;
      Track.Spans.push_back({toSeconds(S.StartNs),
                             toSeconds(S.EndNs - S.StartNs),
                             NameId(treeName(P, P.Nodes[S.Node])), Depth});
    }
    if (!Track.Spans.empty())
      Result.Tracks.push_back(std::move(Track));
  }
  for (const DeviceTrack &Stream : Streams) {
    HtmlTimeline::Track Track;
    Track.Name = Stream.Name;
    for (uint32_t Event : Stream.Events) {
      const GpuEvent &E = P.Gpu.Events[Event];
      if (E.EndNs >= From)
        Track.Spans.push_back({toSeconds(E.StartNs),
                               toSeconds(E.EndNs - E.StartNs),
                               NameId(kernelName(deviceWorkName(P, E))), 0});
    }
    if (!Track.Spans.empty())
      Result.Tracks.push_back(std::move(Track));
  }
  Result.Note =
      Ends.size() > MaxHtmlSpans
          ? fmt::format("The last {} of {} spans.", MaxHtmlSpans, Ends.size())
          : fmt::format("All {} spans of the timeline.", Ends.size());
  return Result;
}

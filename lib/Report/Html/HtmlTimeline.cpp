// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the spans of the page's timeline, and places them in rows.

#include "Report/Html/HtmlTimeline.h"

#include "Report/Html/HtmlLanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
// The part of a run that is on the timeline: its end, and the slowest steps.
struct Choice {
  int64_t From = INT64_MIN;
  std::vector<Interval> Slow;
  size_t Spans = 0;       // of the whole run
  bool IsOneStep = false; // too many spans for a page

  bool has(const LaneSpan &Span) const {
    return (IsOneStep ? Span.EndNs > From : Span.EndNs >= From) ||
           std::any_of(Slow.begin(), Slow.end(), [&](const Interval &Each) {
             return Span.StartNs >= Each.Start && Span.EndNs <= Each.End;
           });
  }

  bool has(const StepBar &Step) const {
    return Step.StartNs >= From ||
           std::any_of(Slow.begin(), Slow.end(), [&](const Interval &Each) {
             return Each.Start == Step.StartNs && Each.End == Step.EndNs;
           });
  }
};

// As many of the slowest steps as keep the page small.
void addSlow(const StepBars &Steps, const std::vector<Interval> &Spans,
             Choice &To) {
  size_t Room = MaxHtmlSpans / 4;
  for (const SlowStep &Each : Steps.Slowest) {
    const StepBar &Step = Steps.Steps[Each.Step];
    auto Within = static_cast<size_t>(
        std::count_if(Spans.begin(), Spans.end(), [&](const Interval &S) {
          return S.Start >= Step.StartNs && S.End <= Step.EndNs;
        }));
    if (Within > Room)
      continue;
    Room -= Within;
    To.Slow.push_back({Step.StartNs, Step.EndNs});
  }
}

Choice chooseSpans(const HtmlLanes &Lanes, const StepBars &Steps) {
  std::vector<Interval> Spans;
  for (size_t I = 0; I < Lanes.size(); ++I)
    if (LaneSpan Each = Lanes.at(I); Each.Lane != None)
      Spans.push_back({Each.StartNs, Each.EndNs});
  Choice Result;
  Result.Spans = Spans.size();
  if (Spans.size() <= MaxHtmlSpans)
    return Result;
  auto Cut = Spans.end() - MaxHtmlSpans;
  std::nth_element(
      Spans.begin(), Cut, Spans.end(),
      [](const Interval &A, const Interval &B) { return A.End < B.End; });
  Result.From = Cut->End;
  auto Last = std::max_element(
      Steps.Steps.begin(), Steps.Steps.end(),
      [](const StepBar &A, const StepBar &B) { return A.StartNs < B.StartNs; });
  if (Last != Steps.Steps.end() && Last->StartNs < Result.From &&
      Last->EndNs >= Result.From) {
    Result.From = Last->StartNs;
    Result.IsOneStep = true;
  } else {
    addSlow(Steps, Spans, Result);
  }
  return Result;
}

struct ChosenSpan {
  LaneSpan On;
  uint32_t Number = 0; // in HtmlLanes

  int64_t ns() const { return On.EndNs - On.StartNs; }
};

// Whether A comes first: by lane and start, outer ones first.
bool comesBefore(const ChosenSpan &A, const ChosenSpan &B) {
  if (A.On.Lane != B.On.Lane)
    return A.On.Lane < B.On.Lane;
  if (A.On.StartNs != B.On.StartNs)
    return A.On.StartNs < B.On.StartNs;
  return A.On.EndNs != B.On.EndNs ? A.On.EndNs > B.On.EndNs
                                  : A.Number < B.Number;
}

// The chosen spans, in order. OF_STEP receives how many the only step has.
std::vector<ChosenSpan> chosenSpans(const HtmlLanes &Lanes, const Choice &Of,
                                    size_t &OfStep) {
  std::vector<ChosenSpan> Result;
  for (uint32_t I = 0; I < Lanes.size(); ++I)
    if (LaneSpan Each = Lanes.at(I); Each.Lane != None && Of.has(Each))
      Result.push_back({Each, I});
  OfStep = Result.size();
  if (Of.IsOneStep && Result.size() > MaxHtmlSpans) {
    std::nth_element(Result.begin(), Result.begin() + MaxHtmlSpans,
                     Result.end(),
                     [](const ChosenSpan &A, const ChosenSpan &B) {
                       return A.ns() > B.ns();
                     });
    Result.resize(MaxHtmlSpans);
  }
  std::sort(Result.begin(), Result.end(), comesBefore);
  return Result;
}

// Rows within a lane: a span is one row below those that contain it.
class Rows {
public:
  uint32_t place(const LaneSpan &Span) {
    while (!Ends.empty() && Ends.back() <= Span.StartNs)
      Ends.pop_back();
    Ends.push_back(Span.EndNs);
    return static_cast<uint32_t>(Ends.size() - 1);
  }

private:
  std::vector<int64_t> Ends;
};

class Builder {
public:
  Builder(const HtmlLanes &Lanes, const HtmlPaths &Paths, int64_t Base)
      : Lanes(Lanes), Paths(Paths), Base(Base) {}

  // CHOSEN in order, so host threads come before streams.
  HtmlTimeline build(const std::vector<ChosenSpan> &Chosen) {
    Rows Place;
    uint32_t Lane = None;
    for (const ChosenSpan &Each : Chosen) {
      if (Each.On.Lane != Lane) {
        Lane = Each.On.Lane;
        Place = {};
        TrackOf[Lane] = static_cast<uint32_t>(Result.Tracks.size());
        Result.Tracks.push_back({Lanes.laneName(Lane), {}});
      }
      Result.Tracks.back().Spans.push_back(
          spanOf(Each.Number, Each.On, Place.place(Each.On)));
    }
    return std::move(Result);
  }

private:
  HtmlSpan spanOf(uint32_t I, const LaneSpan &Span, uint32_t Row) {
    uint32_t Node = Lanes.nodeOf(I);
    HtmlSpan Made{Span.StartNs - Base, Span.EndNs - Span.StartNs, nameId(I),
                  Row, Node == None ? None : Paths.Shown[Node]};
    if (std::optional<LaneLaunch> Launch = Lanes.launchOf(I))
      if (auto On = TrackOf.find(Launch->Lane); On != TrackOf.end()) {
        Made.LaunchTrack = On->second;
        Made.LaunchNs = Launch->Ns - Base;
      }
    return Made;
  }

  uint32_t nameId(uint32_t Span) {
    auto [Known, IsNewKey] = Keys.try_emplace(Lanes.nameKey(Span), 0);
    if (IsNewKey) {
      std::string Name = Lanes.nameOf(Span);
      auto [At, IsNew] =
          Names.try_emplace(Name, static_cast<uint32_t>(Names.size()));
      if (IsNew)
        Result.Names.push_back(std::move(Name));
      Known->second = At->second;
    }
    return Known->second;
  }

  const HtmlLanes &Lanes;
  const HtmlPaths &Paths;
  int64_t Base;
  HtmlTimeline Result;
  std::unordered_map<uint64_t, uint32_t> Keys;
  std::map<std::string, uint32_t> Names;
  std::map<uint32_t, uint32_t> TrackOf; // by lane
};

// Moves STEPS to a timeline that starts at BASE.
void placeSteps(int64_t Base, const Choice &Of, StepBars &Steps) {
  for (StepBar &Each : Steps.Steps) {
    bool IsThere = Of.has(Each);
    int64_t Length = Each.EndNs - Each.StartNs;
    Each.StartNs = IsThere ? Each.StartNs - Base : -1;
    Each.EndNs = Each.StartNs + Length;
  }
}

std::string noteOn(const Run &P, const Choice &Of, const StepBars &Steps,
                   size_t OfStep) {
  if (Of.IsOneStep)
    return fmt::format(
        "The longest {} of the {} spans{}.", std::min(OfStep, MaxHtmlSpans),
        OfStep, Steps.Steps.size() > 1 ? " since the last step began" : "");
  if (Of.Spans > MaxHtmlSpans)
    return fmt::format("The last {} of {}{} spans{}.", MaxHtmlSpans,
                       isCut(P) ? "more than " : "", Of.Spans,
                       Of.Slow.empty() ? "" : " and the slowest steps");
  return fmt::format("{} {} spans of the timeline.",
                     isCut(P) ? "The last" : "All", Of.Spans);
}
} // namespace

bool loopscope::isCut(const Run &P) {
  return P.TimelineIsCut || P.Gpu.EventsAreCut;
}

HtmlTimeline loopscope::htmlTimeline(const Run &P, const HtmlPaths &Paths,
                                     StepBars &Steps) {
  std::unique_ptr<HtmlLanes> Lanes = htmlLanes(P);
  Choice Chosen = chooseSpans(*Lanes, Steps);
  if (Chosen.Spans == 0)
    return {};
  size_t OfStep = 0;
  std::vector<ChosenSpan> Spans = chosenSpans(*Lanes, Chosen, OfStep);
  // A profile's times are since its run's start, a trace's since any moment.
  int64_t Base = 0;
  if (P.By->KeepsEvents) {
    Base = INT64_MAX;
    for (const ChosenSpan &Each : Spans)
      Base = std::min(Base, Each.On.StartNs);
  }
  HtmlTimeline Result = Builder(*Lanes, Paths, Base).build(Spans);
  Result.Note = noteOn(P, Chosen, Steps, OfStep);
  placeSteps(Base, Chosen, Steps);
  return Result;
}

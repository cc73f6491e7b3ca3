// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracks of the page's timeline, with all their spans.

#include "Report/Html/HtmlTimeline.h"

#include "Analysis/Tree/PathTree.h"
#include "Report/Html/HtmlLanes.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
struct NumberedSpan {
  LaneSpan On;
  uint32_t Number = 0; // in HtmlLanes
};

// Whether A comes first: by lane and start, outer ones first.
bool comesBefore(const NumberedSpan &A, const NumberedSpan &B) {
  if (A.On.Lane != B.On.Lane)
    return A.On.Lane < B.On.Lane;
  if (A.On.StartNs != B.On.StartNs)
    return A.On.StartNs < B.On.StartNs;
  return A.On.EndNs != B.On.EndNs ? A.On.EndNs > B.On.EndNs
                                  : A.Number < B.Number;
}

std::vector<NumberedSpan> spansInOrder(const HtmlLanes &Lanes) {
  std::vector<NumberedSpan> Result;
  for (uint32_t I = 0; I < Lanes.size(); ++I)
    if (LaneSpan Each = Lanes.at(I); Each.Lane != None)
      Result.push_back({Each, I});
  if (!std::is_sorted(Result.begin(), Result.end(), comesBefore))
    std::sort(Result.begin(), Result.end(), comesBefore);
  return Result;
}

// The paths of a track: names inside those of the spans around them. A span is
// one row below what still runs when it begins.
class TrackPaths {
public:
  // What is around SPAN, or None.
  uint32_t around(const LaneSpan &Span) {
    while (!Open.empty() && Open.back().EndNs <= Span.StartNs)
      Open.pop_back();
    for (size_t I = Open.size(); I-- > 0;)
      if (Open[I].EndNs >= Span.EndNs)
        return Open[I].Path;
    return None;
  }

  // The path of NAME, and the one that counts as it if it isn't None, below
  // ABOVE, in the row of a span that begins now.
  uint32_t add(WholeTrack &To, uint32_t Above, uint32_t Name, uint32_t Node,
               uint32_t Alike) {
    return add(To, Above, static_cast<uint32_t>(Open.size()), Name, Node,
               Alike);
  }
  uint32_t add(WholeTrack &To, uint32_t Above, uint32_t Row, uint32_t Name,
               uint32_t Node, uint32_t Alike) {
    auto New = static_cast<uint32_t>(To.Paths.size());
    auto [At, IsNew] = Known.try_emplace({Above, Row, Name, Node}, New);
    if (IsNew) {
      To.Paths.push_back({Name, Above, Row, Node});
      To.Alike.push_back(Alike == None ? New : Alike);
    }
    return At->second;
  }

  // What begins now, inside SPAN, is below PATH.
  void open(const LaneSpan &Span, uint32_t Path) {
    Open.push_back({Span.EndNs, Path});
  }

private:
  struct Around {
    int64_t EndNs;
    uint32_t Path;
  };
  std::vector<Around> Open;
  std::map<std::array<uint32_t, 4>, uint32_t> Known;
};

class TimelineBuilder {
public:
  TimelineBuilder(const Run &R, const HtmlLanes &Lanes, const HtmlPaths &Paths,
                  int64_t Base, HtmlTimeline &To)
      : R(R), Lanes(Lanes), Paths(Paths), Base(Base), To(To) {}

  // SPANS in order, so host threads come before streams.
  std::vector<WholeTrack> build(const std::vector<NumberedSpan> &Spans) {
    for (size_t I = 0; I < Spans.size();) {
      uint32_t Lane = Spans[I].On.Lane;
      addFileTracks(Lane);
      WholeTrack &Track = addTrack(Lane);
      TrackPaths Place;
      std::vector<HtmlSpan> Made;
      for (; I < Spans.size() && Spans[I].On.Lane == Lane; ++I) {
        uint32_t Path = pathOf(Spans[I], Place, Track);
        Made.push_back(spanOf(Spans[I], Path));
        HtmlTimeline::Path &Its = Track.Paths[Path];
        Its.Ns = saturatingAdd(Its.Ns,
                               Made.back().At.EndNs - Made.back().At.StartNs);
        ++Its.Spans;
      }
      Track.Spans = spansInMemory(std::move(Made));
    }
    addFileTracks(static_cast<uint32_t>(R.FileLanes.size()));
    return std::move(Tracks);
  }

private:
  WholeTrack &addTrack(uint32_t Lane) {
    TrackOf[Lane] = static_cast<uint32_t>(Tracks.size());
    Tracks.push_back({Lanes.laneName(Lane), {}, {}, nullptr});
    return Tracks.back();
  }

  // Adds threads below number END whose spans stay in their file.
  void addFileTracks(uint32_t End) {
    for (; NextThread < End; ++NextThread) {
      const FileLane *Lane = R.fileLane(NextThread);
      if (!Lane)
        continue;
      WholeTrack &Track = addTrack(NextThread);
      Track.Spans = spansInFile(*Lane, addPaths(*Lane, Track));
    }
  }

  // Adds the paths of LANE with their sums; gives their numbers.
  std::vector<uint32_t> addPaths(const FileLane &Lane, WholeTrack &Track) {
    TrackPaths Place;
    std::vector<uint32_t> Numbers;
    const std::vector<FileSpans::Path> &From = Lane.Spans->paths();
    for (size_t I = 0; I < From.size(); ++I) {
      uint32_t Above = From[I].Above == None ? None : Numbers[From[I].Above];
      uint32_t Node = Lane.NodeOf[I];
      if (Node == None) {
        Numbers.push_back(None);
        continue;
      }
      uint32_t Row = Above == None ? 0 : Track.Paths[Above].Depth + 1;
      uint32_t Path = Place.add(Track, Above, Row, nameIdOfNode(Node),
                                Paths.Shown[Node], None);
      HtmlTimeline::Path &Its = Track.Paths[Path];
      Its.Ns = saturatingAdd(Its.Ns, From[I].Ns);
      Its.Spans += From[I].Spans;
      Numbers.push_back(Path);
    }
    return Numbers;
  }

  uint32_t pathOf(const NumberedSpan &Span, TrackPaths &Place,
                  WholeTrack &Track) {
    uint32_t Node = Lanes.nodeOf(Span.Number);
    uint32_t Shown = Node == None ? None : Paths.Shown[Node];
    uint32_t Name = nameId(Span.Number);
    uint32_t Above = Place.around(Span.On);
    // What is inside a step isn't a step.
    bool IsStep = Node != None && R.Nodes[Node].Kind == LOOPSCOPE_KIND_STEP &&
                  (Above == None || Track.Paths[Above].Node != Shown);
    uint32_t Alike = None;
    if (uint32_t OfAll = IsStep ? nameIdOfNode(Node) : Name; OfAll != Name)
      Alike = Place.add(Track, Above, OfAll, Shown, None);
    uint32_t Path = Place.add(Track, Above, Name, Shown, Alike);
    Place.open(Span.On, Alike == None ? Path : Alike);
    return Path;
  }

  HtmlSpan spanOf(const NumberedSpan &Span, uint32_t Path) const {
    HtmlSpan Made{{Span.On.StartNs - Base, Span.On.EndNs - Base, Path}};
    if (std::optional<LaneLaunch> Launch = Lanes.launchOf(Span.Number))
      if (auto On = TrackOf.find(Launch->Lane); On != TrackOf.end()) {
        Made.LaunchTrack = On->second;
        Made.LaunchNs = Launch->Ns - Base;
      }
    return Made;
  }

  uint32_t nameId(const std::string &Name) {
    auto [At, IsNew] =
        Names.try_emplace(Name, static_cast<uint32_t>(Names.size()));
    if (IsNew)
      To.Names.push_back(Name);
    return At->second;
  }
  uint32_t nameId(uint32_t Span) {
    auto [Known, IsNew] = Keys.try_emplace(Lanes.nameKey(Span), 0);
    if (IsNew)
      Known->second = nameId(Lanes.nameOf(Span));
    return Known->second;
  }
  uint32_t nameIdOfNode(uint32_t Node) {
    return nameId(treeName(R, R.Nodes[Node]));
  }

  const Run &R;
  const HtmlLanes &Lanes;
  const HtmlPaths &Paths;
  int64_t Base;
  HtmlTimeline &To;
  std::vector<WholeTrack> Tracks;
  uint32_t NextThread = 0; // that may have a file lane
  std::unordered_map<uint64_t, uint32_t> Keys;
  std::map<std::string, uint32_t> Names;
  std::map<uint32_t, uint32_t> TrackOf; // by lane
};
} // namespace

// Whether the timeline lacks older spans of threads.
static bool lacksSpans(const Run &R) {
  for (size_t I = 0; I < R.Timeline.size() && R.TimelineIsCut; ++I)
    if (!R.Timeline[I].empty() && !R.fileLane(I))
      return true;
  return false;
}

HtmlTimeline loopscope::htmlTimeline(const Run &R, const HtmlPaths &Paths,
                                     StepBars &Steps, HtmlSpans *Rest) {
  std::unique_ptr<HtmlLanes> Lanes = htmlLanes(R);
  std::vector<NumberedSpan> Spans = spansInOrder(*Lanes);
  HtmlTimeline Result;
  if (Spans.empty() && R.FileLanes.empty())
    return Result;
  // A profile's times are since its run's start, a trace's since any moment.
  int64_t Base = 0;
  if (R.By->KeepsEvents) {
    Base = INT64_MAX;
    for (const NumberedSpan &Each : Spans)
      Base = std::min(Base, Each.On.StartNs);
  }
  for (StepBar &Each : Steps.Steps) {
    Each.StartNs -= Base;
    Each.EndNs -= Base;
  }
  Result.BaseNs = Base;
  std::vector<WholeTrack> Tracks =
      TimelineBuilder(R, *Lanes, Paths, Base, Result).build(Spans);
  Spans = {};
  addTracks(std::move(Tracks), Steps, Result, Rest);
  std::string Part =
      lacksSpans(R) ? fmt::format("The newest part of the run, from {} on: ",
                                  readableDuration(toSeconds(Result.FromNs)))
                    : "";
  describeDetail(Part,
                 R.By->KeepsEvents
                     ? "`loopscope view FILE` shows all of them, and so does "
                       "ui.perfetto.dev."
                     : "`loopscope view FILE` shows all of them; `loopscope "
                       "export --to perfetto FILE` writes them.",
                 Result);
  if (R.Gpu.EventsAreCut && !R.Gpu.Events.empty())
    Result.Note +=
        fmt::format(" Device work is here from {} on: the page reads only the "
                    "newest {} of its records.",
                    readableDuration(toSeconds(R.Gpu.Events.front().StartNs)),
                    R.Gpu.Events.size());
  return Result;
}

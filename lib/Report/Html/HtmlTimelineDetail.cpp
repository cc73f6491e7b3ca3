// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a timeline a page has: single spans where there is room for them,
// and sums by cell of everything else.

#include "Analysis/Steps/SpanWindows.h"
#include "Report/Html/HtmlTimeline.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
// More cells than a screen has pixels only help where people zoom in.
constexpr size_t MostCells = 1 << 16;
constexpr size_t LeastCells = 1 << 8;

std::vector<uint32_t> parentsOf(const WholeTrack &Of) {
  std::vector<uint32_t> Parents;
  for (const HtmlTimeline::Path &P : Of.Paths)
    Parents.push_back(P.Parent);
  return Parents;
}

// The size of cells' grid and the most columns of a track, such that TRACKS
// with at most this many columns each have room.
struct Detail {
  size_t Cells = MostCells;
  size_t Columns = MaxHtmlColumns;

  explicit Detail(const std::vector<size_t> &PathsOfTracks) {
    while (needed(PathsOfTracks) > MaxHtmlCells &&
           (Cells > LeastCells || Columns > 1))
      (Cells > LeastCells ? Cells : Columns) /= 2;
  }
  size_t needed(const std::vector<size_t> &PathsOfTracks) const {
    size_t Sum = 0;
    for (size_t Paths : PathsOfTracks)
      Sum += std::min(Paths, Columns) * Cells;
    return Sum;
  }
};

// The windows of a track.
std::vector<HtmlTimeline::Window>
windowsOf(const HtmlTrackSpans &Spans,
          const std::vector<std::pair<int64_t, int64_t>> &Slow, size_t Most) {
  std::vector<HtmlTimeline::Window> Result;
  for (const auto &[From, To] : spanWindows(Spans, Slow, Most))
    Result.push_back({From, To, Spans.in(From, To)});
  return Result;
}

// Leaves out paths that neither columns nor single spans refer to; returns the
// new number of each path, None where it is left out.
std::vector<uint32_t> dropPaths(HtmlTimeline::Track &Track) {
  std::vector<bool> IsUsed(Track.Paths.size(), false);
  for (const HtmlTimeline::Window &W : Track.Windows)
    for (const HtmlSpan &S : W.Spans)
      IsUsed[S.At.Path] = true;
  for (uint32_t Each : Track.ColumnPaths)
    if (Each != None)
      IsUsed[Each] = true;
  for (size_t I = IsUsed.size(); I-- > 0;)
    if (IsUsed[I] && Track.Paths[I].Parent != None)
      IsUsed[Track.Paths[I].Parent] = true;
  std::vector<uint32_t> Now(Track.Paths.size(), None);
  size_t Kept = 0;
  for (size_t I = 0; I < Track.Paths.size(); ++I) {
    if (!IsUsed[I])
      continue;
    Now[I] = static_cast<uint32_t>(Kept);
    HtmlTimeline::Path Each = Track.Paths[I];
    if (Each.Parent != None)
      Each.Parent = Now[Each.Parent];
    Track.Paths[Kept++] = Each;
  }
  Track.Paths.resize(Kept);
  for (HtmlTimeline::Window &W : Track.Windows)
    for (HtmlSpan &S : W.Spans)
      S.At.Path = Now[S.At.Path];
  for (uint32_t &Each : Track.ColumnPaths)
    if (Each != None)
      Each = Now[Each];
  return Now;
}

// Adds the sums of each path to those of the one that it counts as.
void joinAlike(WholeTrack &Of) {
  for (uint32_t I = 0; I < Of.Paths.size(); ++I) {
    if (Of.Alike[I] == I)
      continue;
    HtmlTimeline::Path &To = Of.Paths[Of.Alike[I]];
    To.Ns = saturatingAdd(To.Ns, std::exchange(Of.Paths[I].Ns, 0));
    To.Spans += std::exchange(Of.Paths[I].Spans, 0);
  }
}

// What WHOLE did by cell.
void addCells(const WholeTrack &Whole, size_t Most, const CellGrid &Grid,
              HtmlTimeline::Track &To) {
  std::vector<int64_t> Ns;
  for (const HtmlTimeline::Path &Each : Whole.Paths)
    Ns.push_back(Each.Ns);
  SpanColumns Columns = spanColumns(Ns, parentsOf(Whole), Most);
  for (uint32_t I = 0; I < Whole.Paths.size(); ++I)
    To.PathsWithout += Whole.Alike[I] == I && Columns.Paths[Columns.Of[I]] != I;
  To.ColumnPaths = Columns.Paths;
  SpanCells Cells(std::move(Columns), Grid);
  Whole.Spans->forEach([&](const TrackSpan &S) {
    Cells.add({S.StartNs, S.EndNs, Whole.Alike[S.Path]});
  });
  To.Cells = Cells.finish();
}
} // namespace

void loopscope::addTracks(std::vector<WholeTrack> Tracks, const StepBars &Steps,
                          HtmlTimeline &To, HtmlSpans *Rest) {
  if (Tracks.empty())
    return;
  std::vector<size_t> Counts;
  To.FromNs = INT64_MAX;
  To.ToNs = INT64_MIN;
  for (const WholeTrack &Each : Tracks) {
    Counts.push_back(Each.Spans->size());
    To.FromNs = std::min(To.FromNs, Each.Spans->startOf(0));
    To.ToNs = std::max(To.ToNs, Each.Spans->lastNs());
  }
  To.ToNs = std::max(To.ToNs, To.FromNs + 1);
  std::vector<size_t> Shares = fairShares(Counts, MaxHtmlSpans);
  std::vector<size_t> PathsOfCut;
  for (size_t I = 0; I < Tracks.size(); ++I)
    if (Shares[I] < Counts[I])
      PathsOfCut.push_back(Tracks[I].Paths.size());
  Detail Room(PathsOfCut);
  CellGrid Grid{To.FromNs, To.ToNs, Room.Cells};
  To.CellCount = Grid.Count;
  std::vector<std::pair<int64_t, int64_t>> Slow;
  for (const SlowStep &Each : Steps.Slowest)
    Slow.emplace_back(Steps.Steps[Each.Step].StartNs,
                      Steps.Steps[Each.Step].EndNs);
  for (size_t I = 0; I < Tracks.size(); ++I) {
    WholeTrack &Whole = Tracks[I];
    HtmlTimeline::Track Track{
        Whole.Name, {}, Counts[I], windowsOf(*Whole.Spans, Slow, Shares[I]),
        {},         {}};
    bool IsCut = Shares[I] < Counts[I];
    if (IsCut) {
      joinAlike(Whole);
      addCells(Whole, Room.Columns, Grid, Track);
    }
    Track.Paths = Whole.Paths;
    std::vector<uint32_t> OnPage = dropPaths(Track);
    if (IsCut && Rest)
      Rest->add(static_cast<uint32_t>(I), std::move(Whole.Paths),
                std::move(OnPage), std::move(Whole.Spans));
    Whole = {};
    To.Tracks.push_back(std::move(Track));
  }
}

void loopscope::describeDetail(const std::string &Part, const char *More,
                               HtmlTimeline &Of) {
  uint64_t Spans = 0;
  uint64_t Single = 0;
  size_t Without = 0;
  for (const HtmlTimeline::Track &Each : Of.Tracks) {
    Spans += Each.Spans;
    Without += Each.PathsWithout;
    if (Each.Cells.empty()) {
      Single += Each.Spans;
      continue;
    }
    for (const HtmlTimeline::Window &W : Each.Windows)
      Single += static_cast<uint64_t>(
          std::count_if(W.Spans.begin(), W.Spans.end(), [&](const auto &S) {
            return S.At.StartNs >= W.FromNs;
          }));
  }
  if (Single == Spans) {
    Of.Note = fmt::format("{}{} spans.", Part, Spans);
    return;
  }
  int64_t CellNs = (Of.ToNs - Of.FromNs) / static_cast<int64_t>(Of.CellCount);
  Of.Note =
      fmt::format("{}{} spans. {} are here one by one; elsewhere, bins of "
                  "{} show what each track did.",
                  Part, Spans, Single, readableDuration(toSeconds(CellNs)));
  if (Without != 0)
    Of.Note += fmt::format(" There, the {} with the least time of a track "
                           "count for what is around them.",
                           counted(Without, "call path"));
  Of.More = More;
}

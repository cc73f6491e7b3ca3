// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a tree, and bins of a timeline.

#include "Run/Model/NestedLanes.h"

#include "Run/Model/CallTree.h"
#include "Run/Model/NumberedNames.h"

#include <loopscope/history_lanes.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

using namespace loopscope;

namespace {
// The tree as history_lanes.h wants it.
struct RunTree {
  const Run &R;

  uint32_t parent(uint32_t N) const { return R.Nodes[N].Parent; }
  bool isRoot(uint32_t N) const { return R.Nodes[N].Parent == None; }
  uint32_t kind(uint32_t N) const { return R.Nodes[N].Kind; }
  uint32_t site(uint32_t N) const { return R.Nodes[N].Site; }
  bool isCut(uint32_t N) const { return R.Nodes[N].IsCut; }
};

// Fills the bins of a timeline, all of the same length.
class TimelineBins {
public:
  TimelineBins(const Run &R, const ThreadLanes &Of, size_t Count)
      : Timeline(Of) {
    int64_t Whole = std::max<int64_t>(R.WallNs, 1);
    Width = Whole / static_cast<int64_t>(Count) + 1;
    for (int64_t At = 0; At < Whole; At += Width)
      Result.Bins.push_back({At, std::min(At + Width, Whole), {}});
    Result.Lanes = lanesOf(R);
    for (HistoryLane &Each : Result.Lanes) {
      Each.Ns.resize(Result.Bins.size());
      if (Each.Kind == LOOPSCOPE_KIND_STEP)
        Each.Steps.resize(Result.Bins.size());
      for (uint32_t N : Each.Nodes)
        LaneOf[N] = &Each;
    }
  }

  RunHistory fill() {
    forSpans([this](HistoryLane &Lane, const TimelineSpan &Span) {
      addTime(Lane, Span);
      if (isStep(Lane, Span)) {
        auto [Shortest, IsNew] = ShortestNs.try_emplace(&Lane, ns(Span));
        Shortest->second = std::min(Shortest->second, ns(Span));
      }
    });
    for (auto &[Lane, Ns] : ShortestNs)
      Lane->EdgesNs = historyEdges(history::lowestPair(bucketOf(Ns)), 1);
    forSpans([this](HistoryLane &Lane, const TimelineSpan &Span) {
      if (isStep(Lane, Span))
        addStep(Lane, Span);
    });
    return std::move(Result);
  }

private:
  template <typename Function> void forSpans(Function Visit) {
    for (const std::vector<TimelineSpan> &Track : Timeline)
      for (const TimelineSpan &Span : Track)
        if (auto Found = LaneOf.find(Span.Node); Found != LaneOf.end())
          Visit(*Found->second, Span);
  }

  static uint64_t ns(const TimelineSpan &Span) {
    return static_cast<uint64_t>(
        std::max<int64_t>(0, Span.EndNs - Span.StartNs));
  }
  // A loop's last draw, which no batch follows, is a span without a number.
  static bool isStep(const HistoryLane &Lane, const TimelineSpan &Span) {
    return Lane.Kind == LOOPSCOPE_KIND_STEP && Span.Step >= 0 && !Span.Open;
  }

  size_t binAt(int64_t Ns) const {
    return static_cast<size_t>(std::clamp<int64_t>(
        Ns / Width, 0, static_cast<int64_t>(Result.Bins.size()) - 1));
  }

  void addTime(HistoryLane &Lane, const TimelineSpan &Span) const {
    for (int64_t At = Span.StartNs; At < Span.EndNs;) {
      size_t Bin = binAt(At);
      int64_t End = Bin + 1 == Result.Bins.size()
                        ? Span.EndNs
                        : std::min(Span.EndNs, Result.Bins[Bin].ToNs);
      Lane.Ns[Bin] += End - At;
      At = End;
    }
  }

  void addStep(HistoryLane &Lane, const TimelineSpan &Span) const {
    HistorySteps &To = Lane.Steps[binAt(Span.EndNs)];
    ++To.Steps;
    To.LongestNs = std::max(To.LongestNs, static_cast<double>(ns(Span)));
    uint8_t Lowest = history::lowestPair(bucketOf(ShortestNs.at(&Lane)));
    ++To.Buckets[history::pairOf(bucketOf(ns(Span)), Lowest)];
  }

  const ThreadLanes &Timeline;
  int64_t Width = 1;
  RunHistory Result;
  std::unordered_map<uint32_t, HistoryLane *> LaneOf;
  std::unordered_map<HistoryLane *, uint64_t> ShortestNs;
};
} // namespace

const char *loopscope::historyMetric(size_t Gauge) {
  return history::Gauges[Gauge].Metric;
}

std::vector<HistoryLane> loopscope::lanesOf(const Run &R) {
  std::vector<HistoryLane> Lanes;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, bool>, size_t> LaneOf;
  RunTree Tree{R};
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    history::Key Key = history::keyOf(Tree, I);
    bool IsElsewhere = Key.Loop == None && !R.Threads[R.Nodes[I].Thread].IsMain;
    if (!Key.isLane() || IsElsewhere)
      continue;
    auto [Found, IsNew] = LaneOf.try_emplace(
        {Key.Kind, Key.Site, Key.Loop, Key.IsNested}, Lanes.size());
    if (IsNew) {
      HistoryLane &New = Lanes.emplace_back();
      New.Kind = static_cast<loopscope_kind>(Key.Kind);
      New.Site = Key.Site;
      New.Loop = Key.Loop;
    }
    Lanes[Found->second].Nodes.push_back(I);
  }
  return Lanes;
}

bool loopscope::isNested(const Run &R, const HistoryLane &Lane) {
  return history::keyOf(RunTree{R}, Lane.Nodes.front()).IsNested;
}

std::vector<double> loopscope::historyEdges(uint32_t LowestPair,
                                            double NsPerTick) {
  std::vector<double> Result;
  for (uint32_t I = 0; I <= LOOPSCOPE_HISTORY_BUCKETS; ++I)
    Result.push_back(lowestTicks(2 * (LowestPair + I)) * NsPerTick);
  return Result;
}

void loopscope::addTreeAndHistory(Run &To, bool NumbersAreKeys) {
  if (!To.By->KeepsEvents || !To.Histories.empty())
    return;
  ThreadLanes Spans;
  addTree(To, EventNodes::Yes, &Spans);
  if (NumbersAreKeys)
    keyNumberedNames(To);
  if (!To.Stream.Events.empty())
    To.Histories = {TimelineBins(To, Spans, MadeBins).fill()};
}

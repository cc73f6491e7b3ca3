// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bins of a file that may be damaged, or in which bins were just being merged.

#include "Run/Read/HistoryReader.h"

#include "Run/Model/NestedLanes.h"

#include <loopscope/history_lanes.h>
#include <loopscope/named_losses.h>

#include <algorithm>
#include <tuple>

using namespace loopscope;

namespace {
// The records that count, by begin: those that aren't part of a merged one, and
// that don't overlap in a damaged file.
template <typename Bin>
std::vector<Bin> inOrder(std::vector<GuardedRecord<Bin>> All) {
  std::erase_if(All, [](const auto &Each) {
    return Each.Value.end_ticks <= Each.Value.begin_ticks;
  });
  std::stable_sort(All.begin(), All.end(), [](const auto &A, const auto &B) {
    // The merged one of two that begin together comes first.
    return std::tuple(A.Value.begin_ticks, ~A.Value.end_ticks) <
           std::tuple(B.Value.begin_ticks, ~B.Value.end_ticks);
  });
  std::vector<Bin> Result;
  for (const auto &Each : All)
    if (Result.empty() || Each.Value.begin_ticks >= Result.back().end_ticks)
      Result.push_back(Each.Value);
  return Result;
}

// START: of the run, where the first bin begins.
bool hasGaps(const std::vector<loopscope_history_bin> &Bins, uint64_t Start) {
  for (const loopscope_history_bin &Each : Bins) {
    if (Each.begin_ticks != Start)
      return true;
    Start = Each.end_ticks;
  }
  return false;
}

// The series of the loops may be merged already where the bins aren't: merges
// bins until no record of steps crosses a border.
void align(std::vector<loopscope_history_bin> &Bins,
           const std::vector<loopscope_history_steps> &Steps) {
  std::vector<bool> IsCrossed(Bins.size());
  for (const loopscope_history_steps &Each : Steps) {
    auto Bin = std::ranges::upper_bound(Bins, Each.begin_ticks, {},
                                        &loopscope_history_bin::end_ticks);
    for (; Bin != Bins.end() && Bin->end_ticks < Each.end_ticks; ++Bin)
      IsCrossed[static_cast<size_t>(Bin - Bins.begin())] = true;
  }
  std::vector<loopscope_history_bin> Result;
  for (size_t I = 0; I < Bins.size(); ++I)
    if (I != 0 && IsCrossed[I - 1])
      history::merge(Result.back(), Bins[I]);
    else
      Result.push_back(Bins[I]);
  Bins = std::move(Result);
}

// What a lane has up to a bin's end, in ticks -> what it grew by in each bin,
// in nanoseconds, without an error that adds up.
std::vector<int64_t> growth(const std::vector<loopscope_history_bin> &Bins,
                            size_t Lane, const Clock &Ticks) {
  std::vector<int64_t> Result;
  uint64_t Sum = 0;
  int64_t Before = 0;
  for (const loopscope_history_bin &Each : Bins) {
    if (__builtin_add_overflow(Sum, Each.ticks[Lane], &Sum))
      Sum = UINT64_MAX;
    int64_t Now = Ticks.toNs(Sum);
    Result.push_back(Now - Before);
    Before = Now;
  }
  return Result;
}

// Makes NS add up to TOTAL: the last bin has what is missing, and what is too
// much goes out of the last ones; of a later part, out of the first ones, which
// have what came between the last look before it and its begin.
void complete(std::vector<int64_t> &Ns, int64_t Total, bool IsLaterPart) {
  int64_t Missing = Total;
  for (int64_t Each : Ns)
    Missing = saturatingAdd(Missing, -Each);
  if (Missing >= 0) {
    Ns.back() += Missing;
    return;
  }
  auto TakeOut = [&Missing](int64_t &Each) {
    int64_t Part = std::min(Each, -Missing);
    Each -= Part;
    Missing += Part;
  };
  if (IsLaterPart)
    std::ranges::for_each(Ns, TakeOut);
  else
    std::for_each(Ns.rbegin(), Ns.rend(), TakeOut);
}

// The same for a number of steps or samples.
void complete(std::vector<HistorySteps> &Steps, uint64_t HistorySteps::*Of,
              uint64_t Total, bool IsLaterPart) {
  uint64_t Sum = 0;
  for (const HistorySteps &Each : Steps)
    Sum += Each.*Of;
  if (IsLaterPart)
    for (HistorySteps &Each : Steps) {
      uint64_t TooMany = std::min(Each.*Of, Sum > Total ? Sum - Total : 0);
      Each.*Of -= TooMany;
      Sum -= TooMany;
    }
  Sum = 0;
  for (HistorySteps &Each : Steps) {
    Each.*Of = std::min(Each.*Of, Total - Sum);
    Sum += Each.*Of;
  }
  Steps.back().*Of += Total - Sum;
}

HistoryBin makeBin(const loopscope_history_bin &From, uint64_t StartTicks,
                   const Clock &Ticks) {
  auto Ns = [&](uint64_t At) {
    return At > StartTicks ? Ticks.toNs(At - StartTicks) : 0;
  };
  HistoryBin Result{Ns(From.begin_ticks), Ns(From.end_ticks), {}};
  for (size_t I = 0; I < Result.Gauges.size(); ++I) {
    const loopscope_history_gauge &Its = From.gauge[I];
    double Parts = history::Gauges[I].Parts;
    if (Its.samples != 0)
      Result.Gauges[I] = {Its.samples,
                          static_cast<double>(Its.sum) / Its.samples / Parts,
                          Its.max / Parts};
  }
  return Result;
}

// Makes a RunHistory of records.
class Maker {
public:
  Maker(const HistoryRecords &From, const Clock &Ticks, uint64_t StartTicks,
        const Run &R)
      : From(From), Ticks(Ticks), R(R) {
    for (const loopscope_history_bin &Each : From.Bins)
      Result.Bins.push_back(makeBin(Each, StartTicks, Ticks));
    Recorded = Result.Bins.size();
    addRest();
  }

  // LANE: of the file; SIZE_MAX if it has none for these call paths.
  void add(HistoryLane Next, size_t Lane) {
    if (Lane != SIZE_MAX)
      Next.Ns = growth(From.Bins, Lane, Ticks);
    Next.Ns.resize(Result.Bins.size());
    int64_t Total = 0;
    uint64_t Steps = 0;
    uint64_t Samples = 0;
    for (uint32_t I : Next.Nodes) {
      Total = saturatingAdd(Total, R.Nodes[I].InclusiveNs);
      Steps += R.Nodes[I].Spans.count();
      Samples += R.Nodes[I].Samples;
    }
    bool IsLaterPart = R.Parts.isLater();
    complete(Next.Ns, Total, IsLaterPart);
    if (Next.Kind == LOOPSCOPE_KIND_STEP) {
      Next.Steps.resize(Result.Bins.size());
      addSteps(Next, Lane);
      complete(Next.Steps, &HistorySteps::Steps, Steps, IsLaterPart);
      complete(Next.Steps, &HistorySteps::Samples, Samples, IsLaterPart);
    }
    Result.Lanes.push_back(std::move(Next));
  }

  RunHistory take() { return std::move(Result); }

private:
  // What came after the last look. A rate over much less time than bins have
  // would say nothing, so that belongs to the last bin.
  void addRest() {
    if (Recorded == 0) {
      Result.Bins.push_back({0, std::max<int64_t>(R.WallNs, 0), {}});
      return;
    }
    HistoryBin &Last = Result.Bins.back();
    if (R.WallNs <= Last.ToNs)
      return;
    if (R.WallNs - Last.ToNs < (Last.ToNs - Last.FromNs) / 2)
      Last.ToNs = R.WallNs;
    else
      Result.Bins.push_back({Last.ToNs, R.WallNs, {}});
  }

  void addSteps(HistoryLane &To, size_t Lane) const {
    uint8_t Lowest = UINT8_MAX;
    for (const loopscope_history_steps &S : From.Steps)
      if (S.lane == Lane)
        Lowest = std::min(Lowest, S.lowest_pair);
    if (Lowest != UINT8_MAX)
      To.EdgesNs = historyEdges(Lowest, Ticks.nsPerTick());
    for (loopscope_history_steps S : From.Steps) {
      if (S.lane != Lane)
        continue;
      history::lower(S, Lowest);
      auto Bin = std::ranges::lower_bound(From.Bins, S.end_ticks, {},
                                          &loopscope_history_bin::end_ticks);
      if (Bin == From.Bins.end())
        continue;
      HistorySteps &Into =
          To.Steps[static_cast<size_t>(Bin - From.Bins.begin())];
      Into.Steps += S.steps;
      Into.Samples += S.samples;
      if (S.longest != 0)
        Into.LongestNs = std::max(Into.LongestNs, bucketTicks(S.longest - 1U) *
                                                      Ticks.nsPerTick());
      for (size_t I = 0; I < Into.Buckets.size(); ++I)
        Into.Buckets[I] += S.bucket[I];
    }
  }

  const HistoryRecords &From;
  const Clock &Ticks;
  const Run &R;
  size_t Recorded = 0; // the first bins are the file's
  RunHistory Result;
};
} // namespace

HistoryRecords loopscope::readHistoryRecords(ProfileBytes &Records) {
  // Gaps are bins that moved while they were read; or lost ones, and when their
  // time was isn't known.
  constexpr int MostTries = 8;
  HistoryRecords Result;
  bool IsWhole = false;
  for (int Try = 0; Try < MostTries && !IsWhole; ++Try) {
    Result.Bins = inOrder(Records.historyBins());
    IsWhole = !hasGaps(Result.Bins, Records.header().start_ticks);
  }
  if (!IsWhole || Result.Bins.size() > LOOPSCOPE_HISTORY_BINS) {
    Result.Bad += Result.Bins.size();
    Result.Bins.clear();
    return Result;
  }
  std::vector<GuardedRecord<loopscope_history_steps>> All =
      Records.historySteps();
  for (const auto &Each : Records.historyLanes()) {
    if (Result.Lanes.size() == LOOPSCOPE_HISTORY_LANES) {
      ++Result.Bad;
      break;
    }
    Result.Lanes.push_back(Each.Value);
    std::vector<GuardedRecord<loopscope_history_steps>> Own;
    for (const auto &Steps : All)
      if (Steps.Value.lane + 1U == Result.Lanes.size())
        Own.push_back(Steps);
    for (const loopscope_history_steps &Steps : inOrder(std::move(Own)))
      Result.Steps.push_back(Steps);
  }
  align(Result.Bins, Result.Steps);
  return Result;
}

RunHistory
loopscope::makeHistory(const HistoryRecords &Records, const Clock &Ticks,
                       const std::unordered_map<uint32_t, uint32_t> &SiteOf,
                       uint64_t StartTicks, const Run &R) {
  auto Ours = [&](uint32_t InFile) {
    auto Found = SiteOf.find(InFile);
    return Found == SiteOf.end() ? None : Found->second;
  };
  auto OurKey = [&](const loopscope_history_lane &InFile) {
    history::Key Key = history::keyOf(InFile);
    Key.Site = Ours(Key.Site);
    Key.Loop = Ours(Key.Loop);
    return Key;
  };
  // Without bins nothing is missing in them.
  bool HasBins = !Records.Bins.empty();
  bool LeftOut = R.Lost.named(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT) != 0;
  uint32_t Missing = 0;
  Maker Make(Records, Ticks, StartTicks, R);
  for (HistoryLane &Each : lanesOf(R)) {
    size_t Lane = 0;
    history::Key Wanted{Each.Site, static_cast<uint32_t>(Each.Kind), Each.Loop,
                        isNested(R, Each)};
    while (Lane < Records.Lanes.size() &&
           !(OurKey(Records.Lanes[Lane]) == Wanted))
      ++Lane;
    bool IsInFile = Lane < Records.Lanes.size();
    // Those that came after the last look.
    bool IsOver = !IsInFile && Records.Bins.size() > 1 &&
                  ++Missing > LOOPSCOPE_HISTORY_LANES;
    bool IsPartial =
        HasBins &&
        (IsInFile ? (Records.Lanes[Lane].flags & LOOPSCOPE_HISTORY_PARTIAL) != 0
                  : LeftOut);
    if (!IsPartial && !IsOver)
      Make.add(std::move(Each), IsInFile ? Lane : SIZE_MAX);
  }
  return Make.take();
}

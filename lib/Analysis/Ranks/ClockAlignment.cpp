// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets and drifts of clocks, and how far off they may be.

#include "Analysis/Ranks/ClockAlignment.h"

#include "Analysis/Ranks/RankInstances.h"
#include "Analysis/Thresholds.h"
#include "Support/Median.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace loopscope;

namespace {
// If there are more, every n-th is taken, because slopes are computed between
// all pairs.
constexpr size_t MostInstances = 400;

// An instance, as two clocks saw its end.
struct Exit {
  int64_t FirstNs = 0; ///< by the first run's clock
  int64_t OwnNs = 0;   ///< by the other
};

// The number of each run's clock, the first run's is 0.
std::vector<size_t> clocksOf(const std::vector<Run> &All) {
  std::vector<size_t> Result;
  std::multimap<std::string, std::pair<size_t, size_t>> Known; // run, clock
  size_t Clocks = 0;
  for (size_t R = 0; R < All.size(); ++R) {
    auto [First, Last] = Known.equal_range(All[R].Host);
    auto Same = std::find_if(First, Last, [&](const auto &Each) {
      return clocksDiffer(All[Each.second.first], All[R]).empty();
    });
    Result.push_back(Same == Last ? Clocks : Same->second.second);
    if (Same == Last)
      Known.emplace(All[R].Host, std::pair(R, Clocks++));
  }
  return Result;
}

// The shortest of an instance's durations: what it takes when nobody waits.
int64_t shortestNs(const MatchedInstance &Of) {
  int64_t Least = INT64_MAX;
  for (const CollectiveInstance *Each : Of.Of)
    Least = std::min(Least, Each->Ns);
  return Least;
}

// An instance's end by two clocks, after its shortest duration.
using TimedExit = std::pair<int64_t, Exit>;

// When the ranks of a place with these indices left an instance: the median.
int64_t leftNs(const std::vector<Run> &All, const MatchedPlace &At,
               const std::vector<size_t> &Ranks, const MatchedInstance &Of) {
  std::vector<int64_t> Ends;
  Ends.reserve(Ranks.size());
  for (size_t I : Ranks)
    Ends.push_back(exitNs(All[At.Ranks[I]], *Of.Of[I]));
  return upperMedian(std::move(Ends));
}

// By clock, the instances of PLACES that clock 0 and it saw.
std::vector<std::vector<TimedExit>>
exitsByClock(const std::vector<Run> &All,
             const std::vector<MatchedPlace> &Places,
             const std::vector<size_t> &ClockOf, size_t Clocks) {
  std::vector<std::vector<TimedExit>> Result(Clocks);
  for (const MatchedPlace &At : Places) {
    std::map<size_t, std::vector<size_t>> Ranks; // by clock, of the place
    for (size_t I = 0; I < At.Ranks.size(); ++I)
      Ranks[ClockOf[At.Ranks[I]]].push_back(I);
    if (Ranks.find(0) == Ranks.end())
      continue;
    for (const MatchedInstance &Each : At.List) {
      int64_t Shortest = shortestNs(Each);
      int64_t First = leftNs(All, At, Ranks[0], Each);
      for (const auto &[Clock, Own] : Ranks)
        if (Clock != 0)
          Result[Clock].push_back(
              {Shortest, {First, leftNs(All, At, Own, Each)}});
    }
  }
  return Result;
}

// Only the shorter half of FOUND, and no more than needed.
std::vector<Exit> chosenOf(std::vector<TimedExit> Found) {
  std::stable_sort(
      Found.begin(), Found.end(),
      [](const auto &A, const auto &B) { return A.first < B.first; });
  if (Found.size() >= 2 * ClockFewestExits)
    Found.resize(Found.size() / 2);
  std::vector<Exit> Result;
  size_t Every = (Found.size() + MostInstances - 1) / MostInstances;
  for (size_t I = 0; I < Found.size(); I += std::max<size_t>(Every, 1))
    Result.push_back(Found[I].second);
  return Result;
}

// The median slope between all pairs; 0 if it is unknown.
double driftOf(const std::vector<Exit> &Exits) {
  std::vector<double> Slopes;
  for (size_t I = 0; I < Exits.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      if (Exits[I].OwnNs != Exits[J].OwnNs)
        Slopes.push_back(
            static_cast<double>((Exits[I].FirstNs - Exits[I].OwnNs) -
                                (Exits[J].FirstNs - Exits[J].OwnNs)) /
            static_cast<double>(Exits[I].OwnNs - Exits[J].OwnNs));
  if (Exits.size() < ClockFewestForDrift || Slopes.empty())
    return 0;
  double Drift = upperMedian(std::move(Slopes));
  return std::abs(Drift) <= ClockMostDrift ? Drift : 0;
}

ClockLine lineThrough(const std::vector<Exit> &Exits) {
  ClockLine Line;
  std::vector<int64_t> Times;
  for (const Exit &Each : Exits)
    Times.push_back(Each.OwnNs);
  Line.CentreNs = upperMedian(Times);
  Line.Drift = driftOf(Exits);
  std::vector<int64_t> Offsets;
  for (const Exit &Each : Exits)
    Offsets.push_back(
        Each.FirstNs - Each.OwnNs -
        static_cast<int64_t>(Line.Drift *
                             static_cast<double>(Each.OwnNs - Line.CentreNs)));
  Line.OffsetNs = upperMedian(std::move(Offsets));
  return Line;
}

// How well the lines fit all instances: exits close together, and nobody
// leaving before all have arrived.
void judge(const std::vector<Run> &All, const std::vector<MatchedPlace> &Places,
           ClockAlignment &To) {
  std::vector<int64_t> Spreads;
  for (const MatchedPlace &At : Places)
    for (const MatchedInstance &Each : At.List) {
      int64_t LastEnter = INT64_MIN;
      int64_t FirstExit = INT64_MAX;
      int64_t LastExit = INT64_MIN;
      for (size_t I = 0; I < At.Ranks.size(); ++I) {
        const Run &R = All[At.Ranks[I]];
        const ClockLine &Line = To.Lines[At.Ranks[I]];
        int64_t Exit = Line.at(exitNs(R, *Each.Of[I]));
        LastEnter = std::max(LastEnter, Line.at(enterNs(R, *Each.Of[I])));
        FirstExit = std::min(FirstExit, Exit);
        LastExit = std::max(LastExit, Exit);
      }
      Spreads.push_back(LastExit - FirstExit);
      To.Violations += FirstExit < LastEnter;
    }
  To.Instances = Spreads.size();
  std::sort(Spreads.begin(), Spreads.end());
  To.SpreadNs = Spreads[(Spreads.size() - 1) * 19 / 20];
}
} // namespace

ClockAlignment loopscope::alignClocks(const std::vector<Run> &All) {
  ClockAlignment Result;
  Result.Lines.resize(All.size());
  std::vector<size_t> ClockOf = clocksOf(All);
  Result.Clocks = 1 + *std::max_element(ClockOf.begin(), ClockOf.end());
  if (Result.Clocks == 1)
    return Result;
  std::vector<std::vector<bool>> Everywhere;
  for (const Run &R : All)
    Everywhere.emplace_back(R.Nodes.size(), true);
  std::vector<MatchedPlace> Places = matchPlaces(All, Everywhere);
  std::vector<std::vector<TimedExit>> ByClock =
      exitsByClock(All, Places, ClockOf, Result.Clocks);
  std::vector<ClockLine> Lines(Result.Clocks);
  for (size_t Clock = 1; Clock < Result.Clocks; ++Clock) {
    std::vector<Exit> Exits = chosenOf(std::move(ByClock[Clock]));
    if (Exits.size() < ClockFewestExits) {
      size_t Of = static_cast<size_t>(
          std::find(ClockOf.begin(), ClockOf.end(), Clock) - ClockOf.begin());
      Result.WhyNot =
          clocksDiffer(All.front(), All[Of]) + "; " +
          (Exits.empty() ? "they share no collective to align their clocks by"
                         : fmt::format("the {} that they share are too few to "
                                       "align their clocks by",
                                       counted(Exits.size(), "collective")));
      return Result;
    }
    Lines[Clock] = lineThrough(Exits);
  }
  for (size_t I = 0; I < All.size(); ++I)
    Result.Lines[I] = Lines[ClockOf[I]];
  judge(All, Places, Result);
  return Result;
}

std::string ClockAlignment::note() const {
  if (Clocks < 2)
    return {};
  return fmt::format(
      "{} clocks are aligned by {}: in 95% of them, ranks leave within {} of "
      "each other; in {}, one leaves before the last arrives.",
      Clocks, counted(Instances, "collective"),
      readableDuration(static_cast<double>(SpreadNs) / NsPerSecond),
      Violations);
}

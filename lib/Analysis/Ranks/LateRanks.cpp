// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's excess is the own time that it has beyond the median of the ranks.

#include "Analysis/Ranks/LateRanks.h"

#include "Analysis/Ranks/StepComparison.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/UsefulTime.h"

#include "Support/Median.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// The phase that explains most of an excess, if it explains enough.
LatePhase reasonOf(const StepComparison &In, const PhaseNs &Excess,
                   double All) {
  LatePhase Result;
  auto Most = std::max_element(
      Excess.begin(), Excess.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Most == Excess.end() || All <= 0 || Most->second < RanksReason * All)
    return Result;
  std::tie(Result.Name, Result.File, Result.Line) = In.key(Most->first);
  Result.Explained = std::min(1.0, Most->second / All);
  return Result;
}

// What the phases of RECORD, which is in OF, have beyond the median of all
// records, added to EXCESS.
void addExcess(StepComparison &In,
               const std::vector<StepComparison::Recorded> &Of,
               const StepComparison::Recorded &Record, PhaseNs &Excess) {
  for (const auto &[Phase, Ns] : In.phasesOf(Record.Rank, *Record.Step)) {
    std::vector<double> Others;
    for (const StepComparison::Recorded &Each : Of)
      Others.push_back(
          mostOf(*Each.Step, In.phasesOf(Each.Rank, *Each.Step), Phase));
    Excess[Phase] += Ns - lowerMedian(std::move(Others));
  }
}

// Steps of single ranks that took much longer than usual, by rank.
std::vector<LongSteps> findLongSteps(StepComparison &In, const StageRanks &To) {
  struct Sums {
    LongSteps Found;
    PhaseNs Excess;
    double Ns = 0;
  };
  std::map<size_t, Sums> ByRank;
  std::vector<uint64_t> Left;
  In.forEachStep([&](const std::vector<StepComparison::Recorded> &Of) {
    std::vector<double> All;
    for (const StepComparison::Recorded &Each : Of)
      All.push_back(Each.ExcessNs);
    double Median = lowerMedian(std::move(All));
    auto NoLonger = static_cast<size_t>(std::count_if(
        Of.begin(), Of.end(), [Median](const StepComparison::Recorded &Each) {
          return Each.ExcessNs <= Median;
        }));
    for (const StepComparison::Recorded &Each : Of) {
      double Longer = Each.ExcessNs - Median;
      if (Longer < RanksOnce * In.stepNs() ||
          Longer < RanksOnceOfRun *
                       static_cast<double>(To.Rows[Each.Rank].ElapsedNs))
        continue;
      Sums &Sum = ByRank[Each.Rank];
      if (Sum.Found.Count++ == 0)
        Sum.Found.First = Each.Step->Number;
      Sum.Found.HalfDidNot &= NoLonger * 2 >= In.ranks();
      Sum.Ns += Longer;
      addExcess(In, Of, Each, Sum.Excess);
      Left.push_back(Each.Step->Number);
    }
  });
  std::vector<LongSteps> Result;
  for (auto &[Rank, Sum] : ByRank) {
    Sum.Found.Row = Rank;
    Sum.Found.Ns = static_cast<int64_t>(Sum.Ns);
    Sum.Found.Reason = reasonOf(In, Sum.Excess, Sum.Ns);
    Result.push_back(std::move(Sum.Found));
  }
  In.leaveOut(Left);
  return Result;
}

// How long ranks usually wait in each wait and collective: longer than the rank
// that is there for the shortest time, by the median of their spans.
class UsualWaits {
public:
  explicit UsualWaits(const std::vector<Run> &All) : All(All) {
    for (const Run &R : All)
      for (uint32_t I = 0; I < R.Nodes.size(); ++I)
        if (isWaitOrCollective(R.Nodes[I].Kind) &&
            R.Nodes[I].Spans.count() != 0) {
          double &To =
              Least.try_emplace(phaseKeyOf(R, I), INFINITY).first->second;
          To = std::min(To, R.Nodes[I].Spans.percentileNs(0.5));
        }
  }
  double at(size_t Rank, uint32_t Node) const {
    auto Found = Least.find(phaseKeyOf(All[Rank], Node));
    return Found == Least.end()
               ? 0
               : All[Rank].Nodes[Node].Spans.percentileNs(0.5) - Found->second;
  }

private:
  const std::vector<Run> &All;
  std::map<PhaseKey, double> Least;
};

// A phase's usual own time in a rank, and how much of it was critical.
struct UsualPhase {
  double Ns = 0;
  double CriticalPart = 0; // 0 to 1
  double MetPart = 0;
  double MetWaitNs = 0; // usual, where it waits afterwards
};
using UsualPhases = std::map<uint32_t, UsualPhase>;

UsualPhases usualPhases(StepComparison &In, const UsualWaits &Waits,
                        size_t Rank) {
  struct Sums {
    std::vector<double> Ns;
    double All = 0, Critical = 0, Met = 0;
    uint32_t MetNode = None;
  };
  std::map<uint32_t, Sums> ByPhase;
  for (uint64_t Number : In.steps())
    for (const StepPhase &Each : In.at(Rank, Number).Phases) {
      Sums &To = ByPhase[In.phaseOf(Rank, Each.Node)];
      To.Ns.push_back(static_cast<double>(Each.Ns));
      To.All += static_cast<double>(Each.Ns);
      To.Critical += static_cast<double>(Each.CriticalNs);
      To.Met += static_cast<double>(Each.MetNs);
      if (Each.MetNode != None)
        To.MetNode = Each.MetNode;
    }
  UsualPhases Result;
  for (auto &[Phase, Of] : ByPhase) {
    Of.Ns.resize(std::max(Of.Ns.size(), In.steps().size()));
    UsualPhase &To = Result[Phase];
    To.Ns = trimmedMean(std::move(Of.Ns));
    if (Of.All > 0) {
      To.CriticalPart = Of.Critical / Of.All;
      To.MetPart = Of.Met / Of.All;
    }
    if (Of.MetNode != None)
      To.MetWaitNs = Waits.at(Rank, Of.MetNode);
  }
  return Result;
}

// The part of an excess of NS after which the rank doesn't wait. If others came
// later, it would wait for at least half of the excess.
double criticalPart(const UsualPhase &Of, double Ns) {
  return Of.CriticalPart + (Of.MetWaitNs < Ns / 2 ? Of.MetPart : 0);
}

// What the ranks of LATE have in each phase beyond the median of all: in all,
// and the part of it that is critical.
std::pair<PhaseNs, PhaseNs> excessOf(const std::vector<UsualPhases> &Usual,
                                     const std::vector<size_t> &Late) {
  std::pair<PhaseNs, PhaseNs> Result;
  for (size_t R : Late)
    for (const auto &[Phase, Of] : Usual[R]) {
      std::vector<double> Each;
      for (const UsualPhases &Other : Usual) {
        auto At = Other.find(Phase);
        Each.push_back(At == Other.end() ? 0 : At->second.Ns);
      }
      double Ns = std::max(0.0, Of.Ns - lowerMedian(std::move(Each)));
      Result.first[Phase] += Ns;
      Result.second[Phase] += Ns * criticalPart(Of, Ns);
    }
  return Result;
}

double sumOf(const PhaseNs &Of) {
  double Sum = 0;
  for (const auto &[Phase, Ns] : Of)
    Sum += Ns;
  return Sum;
}

// Whether RANK has enough of its usual EXCESS in enough steps.
bool isMostlyLate(const StepComparison &In, size_t Rank, double Excess) {
  size_t Count = 0;
  for (uint64_t Number : In.steps()) {
    std::vector<double> Own = In.ownAt(Number);
    double Longer = Own[Rank] - lowerMedian(Own);
    Count += Longer >= RanksStepExcess * Excess ? 1 : 0;
  }
  return static_cast<double>(Count) >=
         RanksMostSteps * static_cast<double>(In.steps().size());
}

// Ranks that are late in each step; false if there are none.
bool findAlwaysLate(const std::vector<Run> &All, StepComparison &In,
                    StageRanks &To, double &MostExcess) {
  std::vector<double> Usual;
  for (size_t R = 0; R < In.ranks(); ++R)
    Usual.push_back(In.usual(R));
  double Median = lowerMedian(Usual);
  double Most = *std::max_element(Usual.begin(), Usual.end()) - Median;
  MostExcess = std::max(0.0, Most);
  if (Most < RanksOwnLate * In.stepNs() ||
      Most < static_cast<double>(RanksOwnNoise) * In.noise())
    return false;
  std::vector<size_t> Late;
  for (size_t R = 0; R < In.ranks(); ++R)
    if (Usual[R] - Median >= RanksOfMost * Most)
      Late.push_back(R);
  if (Late.size() * 2 > In.ranks())
    return false;
  for (size_t R : Late)
    if (!isMostlyLate(In, R, Usual[R] - Median)) {
      MostExcess = 0;
      return false;
    }
  UsualWaits Waits(All);
  std::vector<UsualPhases> Phases;
  for (size_t R = 0; R < In.ranks(); ++R)
    Phases.push_back(usualPhases(In, Waits, R));
  auto [Excess, Critical] = excessOf(Phases, Late);
  if (sumOf(Critical) < RanksCritical * sumOf(Excess))
    return false;
  To.Late.Kind = StragglerKind::Persistent;
  To.Late.Rows = Late;
  To.Late.Row = static_cast<size_t>(
      std::max_element(Usual.begin(), Usual.end()) - Usual.begin());
  To.Late.LongerNs = static_cast<int64_t>(Most);
  To.Late.LostPart = std::min(1.0, Most / In.stepNs());
  To.Late.Reason = reasonOf(In, Critical, sumOf(Critical));
  return true;
}

void findLateInTurns(StepComparison &In, double MostExcess, StageRanks &To) {
  std::vector<double> Lost;
  std::vector<uint64_t> LongestIn(In.ranks());
  PhaseNs Excess;
  double Sum = 0;
  for (uint64_t Number : In.steps()) {
    std::vector<double> Own = In.ownAt(Number);
    auto Last = static_cast<size_t>(std::max_element(Own.begin(), Own.end()) -
                                    Own.begin());
    double Longer = Own[Last] - lowerMedian(Own);
    Lost.push_back(Longer);
    Sum += Longer;
    ++LongestIn[Last];
    for (const auto &[Phase, Ns] : In.phasesOf(Last, In.at(Last, Number))) {
      std::vector<double> Each;
      for (size_t R = 0; R < In.ranks(); ++R) {
        const OwnStep &Other = In.at(R, Number);
        Each.push_back(mostOf(Other, In.phasesOf(R, Other), Phase));
      }
      Excess[Phase] += Ns - lowerMedian(std::move(Each));
    }
  }
  double InTurns = trimmedMean(std::move(Lost)) - MostExcess;
  if (InTurns < RanksInTurns * In.stepNs())
    return;
  To.Late.Kind = StragglerKind::Rotating;
  To.Late.LongerNs = static_cast<int64_t>(InTurns);
  To.Late.LostPart = std::min(1.0, InTurns / In.stepNs());
  To.Late.Reason = reasonOf(In, Excess, Sum);
  // In most steps, and at least twice as often as each rank in turns.
  auto Often = std::max_element(LongestIn.begin(), LongestIn.end());
  uint64_t Steps = In.steps().size();
  if (*Often * 2 > Steps && *Often * In.ranks() >= 2 * Steps) {
    To.Late.Row = static_cast<size_t>(Often - LongestIn.begin());
    To.Late.LongestIn = *Often;
    To.Late.LongestOf = Steps;
  }
}
} // namespace

bool loopscope::haveOwnSteps(const std::vector<Run> &All,
                             const std::vector<Stages> &Found,
                             loopscope_kind Kind) {
  for (size_t R = 0; R < All.size(); ++R)
    if (std::none_of(All[R].OwnSteps.begin(), All[R].OwnSteps.end(),
                     [&](const OwnStep &Each) {
                       return Found[R].Of[Each.Node] == Kind;
                     }))
      return false;
  return !All.empty();
}

std::string loopscope::tooFewSteps(size_t Steps) {
  return fmt::format(
      "Which rank is late isn't known: {} could be compared, and "
      "at least {} are needed.",
      counted(Steps, "step"), RanksFewestSteps);
}

void loopscope::findLateRanks(const std::vector<Run> &All,
                              const std::vector<Stages> &Found,
                              loopscope_kind Kind, StageRanks &To) {
  StepComparison In(All, Found, Kind);
  To.Late = {};
  To.Late.IsFromOwnTime = true;
  if (In.steps().size() < RanksFewestSteps) {
    To.Notes.push_back(tooFewSteps(In.steps().size()));
    return;
  }
  if (!In.areSynchronised()) {
    To.Notes.emplace_back("Which rank is late isn't known: the ranks' steps "
                          "take different times, so they don't wait for each "
                          "other in each step.");
    return;
  }
  To.Late.Once = findLongSteps(In, To);
  To.Late.Kind = StragglerKind::None;
  double MostExcess = 0;
  if (In.steps().size() >= RanksFewestSteps &&
      !findAlwaysLate(All, In, To, MostExcess))
    findLateInTurns(In, MostExcess, To);
  for (RankRow &Row : To.Rows)
    Row.CulpritPhase.clear();
  for (size_t Each : To.Late.Rows) {
    RankRow &Row = To.Rows[Each];
    Row.CulpritPhase = To.Late.Reason.Name;
    Row.CulpritFile = To.Late.Reason.File;
    Row.CulpritLine = To.Late.Reason.Line;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's usual own time is the mean of the middle half of its sampled steps,
// so that single events don't make it "always late". Its excess is what it has
// beyond the median of the ranks.

#include "Analysis/Ranks/LateRanks.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/PhaseKey.h"
#include "Analysis/Tree/UsefulTime.h"

#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// A rank's records of one loop, by step.
using Records = std::map<uint64_t, const OwnStep *>;

// The records of P's loop of KIND with the most; a sample is preferred to a
// record of several steps.
Records recordsOf(const Run &P, const Stages &Found, loopscope_kind Kind) {
  std::map<uint32_t, Records> ByLoop;
  for (const OwnStep &Each : P.OwnSteps)
    if (Found.Of[Each.Node] == Kind) {
      const OwnStep *&To = ByLoop[Each.Node][Each.Number];
      if (To == nullptr || Each.Steps < To->Steps)
        To = &Each;
    }
  Records Most;
  for (auto &[Node, Each] : ByLoop)
    if (Each.size() > Most.size())
      Most = std::move(Each);
  return Most;
}

// The mean of the middle half.
double trimmedMean(std::vector<double> Of) {
  if (Of.empty())
    return 0;
  std::sort(Of.begin(), Of.end());
  size_t First = Of.size() / 4;
  size_t Last = Of.size() - First;
  double Sum = 0;
  for (size_t I = First; I < Last; ++I)
    Sum += Of[I];
  return Sum / static_cast<double>(Last - First);
}

// The lower median, which half of the ranks can't raise.
double lowerMedian(std::vector<double> Of) {
  auto Middle = Of.begin() + static_cast<ptrdiff_t>((Of.size() - 1) / 2);
  std::nth_element(Of.begin(), Middle, Of.end());
  return *Middle;
}

// By number of a phase.
using PhaseTimes = std::map<uint32_t, double>;

// The steps that all ranks have, and what is compared between them.
class Comparison {
public:
  Comparison(const std::vector<Run> &All, const std::vector<Stages> &Found,
             loopscope_kind Kind)
      : All(All) {
    for (size_t R = 0; R < All.size(); ++R)
      Of.push_back(recordsOf(All[R], Found[R], Kind));
    for (const auto &[Number, Each] : Of.front())
      if (isCommon(Number))
        Steps.push_back(Number);
    update();
  }

  size_t ranks() const { return Of.size(); }
  const std::vector<uint64_t> &steps() const { return Steps; }
  double stepNs() const { return StepNs; }
  double usual(size_t Rank) const { return Usual[Rank]; }
  const OwnStep &at(size_t Rank, uint64_t Number) const {
    return *Of[Rank].at(Number);
  }
  const Records &records(size_t Rank) const { return Of[Rank]; }

  // Own time of each rank in one step, beyond its usual one; empty if fewer
  // than half of the ranks have it on record, over the same steps.
  std::vector<std::pair<size_t, double>> excessAt(uint64_t Number,
                                                  uint64_t Covered) const {
    std::vector<std::pair<size_t, double>> Result;
    for (size_t R = 0; R < ranks(); ++R)
      if (auto Each = Of[R].find(Number);
          Each != Of[R].end() && Each->second->Steps == Covered)
        Result.emplace_back(R, static_cast<double>(Each->second->OwnNs) -
                                   static_cast<double>(Covered) * Usual[R]);
    if (Result.size() * 2 < ranks())
      Result.clear();
    return Result;
  }

  void leaveOut(const std::vector<uint64_t> &Numbers) {
    std::erase_if(Steps, [&](uint64_t Each) {
      return std::find(Numbers.begin(), Numbers.end(), Each) != Numbers.end();
    });
    update();
  }

  // Half of what the usual own time of even and odd samples differs by.
  double noise() const {
    std::vector<double> ByRank;
    for (size_t R = 0; R < ranks(); ++R) {
      std::vector<double> Half[2];
      for (size_t I = 0; I < Steps.size(); ++I)
        Half[I % 2].push_back(static_cast<double>(at(R, Steps[I]).OwnNs));
      ByRank.push_back(std::abs(trimmedMean(std::move(Half[0])) -
                                trimmedMean(std::move(Half[1]))) /
                       2);
    }
    return lowerMedian(std::move(ByRank));
  }

  // Whether the steps take the ranks equally long in all, as those of ranks
  // that wait for each other do.
  bool areSynchronised() const {
    double Least = INFINITY;
    double Most = 0;
    for (size_t R = 0; R < ranks(); ++R) {
      double Sum = 0;
      for (uint64_t Number : Steps)
        Sum += static_cast<double>(at(R, Number).Ns);
      Least = std::min(Least, Sum);
      Most = std::max(Most, Sum);
    }
    return Most <= Least * (1 + RanksSameSteps);
  }

  uint32_t phaseOf(size_t Rank, uint32_t Node) {
    auto [At, IsNew] = Numbers.try_emplace(phaseKeyOf(All[Rank], Node),
                                           static_cast<uint32_t>(Keys.size()));
    if (IsNew)
      Keys.push_back(At->first);
    return At->second;
  }
  const PhaseKey &key(uint32_t Phase) const { return Keys[Phase]; }

  // The phases of one record. A phase that isn't listed took no longer than the
  // last one that is.
  PhaseTimes phasesOf(size_t Rank, const OwnStep &Of) {
    PhaseTimes Result;
    for (const StepPhase &Each : Of.Phases)
      Result[phaseOf(Rank, Each.Node)] += static_cast<double>(Each.Ns);
    return Result;
  }
  static double most(const OwnStep &Of, const PhaseTimes &Listed,
                     uint32_t Phase) {
    if (auto At = Listed.find(Phase); At != Listed.end())
      return At->second;
    return Of.Phases.size() < LOOPSCOPE_COLLECTIVE_PHASES
               ? 0
               : static_cast<double>(Of.Phases.back().Ns);
  }

private:
  bool isCommon(uint64_t Number) const {
    return std::all_of(Of.begin(), Of.end(), [&](const Records &Each) {
      auto At = Each.find(Number);
      return At != Each.end() && At->second->Steps == 1;
    });
  }
  template <typename Function>
  double trimmed(size_t Rank, Function Value) const {
    std::vector<double> Values;
    Values.reserve(Steps.size());
    for (uint64_t Number : Steps)
      Values.push_back(static_cast<double>(Value(at(Rank, Number))));
    return trimmedMean(std::move(Values));
  }
  void update() {
    Usual.clear();
    std::vector<double> Lengths;
    for (size_t R = 0; R < ranks(); ++R) {
      Usual.push_back(trimmed(R, [](const OwnStep &S) { return S.OwnNs; }));
      for (uint64_t Number : Steps)
        Lengths.push_back(static_cast<double>(at(R, Number).Ns));
    }
    StepNs = Lengths.empty() ? 0 : lowerMedian(std::move(Lengths));
  }

  const std::vector<Run> &All;
  std::vector<Records> Of;
  std::vector<uint64_t> Steps;
  std::vector<double> Usual;
  double StepNs = 0;
  std::map<PhaseKey, uint32_t> Numbers;
  std::vector<PhaseKey> Keys;
};

// The phase that explains most of an excess, if it explains enough.
LatePhase reasonOf(const Comparison &In, const PhaseTimes &Excess, double All) {
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

// Steps of single ranks that took much longer than usual, by rank.
std::vector<LongSteps> findLongSteps(Comparison &In, const StageRanks &To) {
  std::vector<LongSteps> Result;
  std::vector<uint64_t> Left;
  for (size_t R = 0; R < In.ranks(); ++R) {
    LongSteps Next;
    Next.Row = R;
    PhaseTimes Excess;
    double Sum = 0;
    double Least =
        std::max(static_cast<double>(RanksOnce) * In.stepNs(),
                 RanksOnceOfRun * static_cast<double>(To.Rows[R].ElapsedNs));
    for (const auto &[Number, Record] : In.records(R)) {
      auto Ranks = In.excessAt(Number, Record->Steps);
      std::vector<double> All;
      double Own = 0;
      for (const auto &[Rank, Ns] : Ranks) {
        All.push_back(Ns);
        Own = Rank == R ? Ns : Own;
      }
      if (All.size() < 2)
        continue;
      double Longer = Own - lowerMedian(std::move(All));
      if (Longer < Least)
        continue;
      if (Next.Count++ == 0)
        Next.First = Number;
      Sum += Longer;
      Left.push_back(Number);
      PhaseTimes Did = In.phasesOf(R, *Record);
      for (const auto &[Phase, Ns] : Did) {
        std::vector<double> Others;
        for (const auto &[Rank, Unused] : Ranks) {
          const OwnStep &Other = In.at(Rank, Number);
          Others.push_back(
              Comparison::most(Other, In.phasesOf(Rank, Other), Phase));
        }
        Excess[Phase] += Ns - lowerMedian(std::move(Others));
      }
    }
    if (Next.Count == 0)
      continue;
    Next.Ns = static_cast<int64_t>(Sum);
    Next.Reason = reasonOf(In, Excess, Sum);
    Result.push_back(std::move(Next));
  }
  In.leaveOut(Left);
  return Result;
}

// How long ranks usually wait in each wait and collective: longer than the rank
// that is there for the shortest time, by the median of their spans.
class UsualWaits {
public:
  explicit UsualWaits(const std::vector<Run> &All) : All(All) {
    for (const Run &P : All)
      for (uint32_t I = 0; I < P.Nodes.size(); ++I)
        if (isWaitOrCollective(P.Nodes[I].Kind) &&
            P.Nodes[I].Spans.count() != 0) {
          double &To =
              Least.try_emplace(phaseKeyOf(P, I), INFINITY).first->second;
          To = std::min(To, P.Nodes[I].Spans.percentileNs(0.5));
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

UsualPhases usualPhases(Comparison &In, const UsualWaits &Waits, size_t Rank) {
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
std::pair<PhaseTimes, PhaseTimes>
excessOf(const std::vector<UsualPhases> &Usual,
         const std::vector<size_t> &Late) {
  std::pair<PhaseTimes, PhaseTimes> Result;
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

double sumOf(const PhaseTimes &Of) {
  double Sum = 0;
  for (const auto &[Phase, Ns] : Of)
    Sum += Ns;
  return Sum;
}

// Whether RANK has enough of its usual EXCESS in enough steps.
bool isMostlyLate(const Comparison &In, size_t Rank, double Excess) {
  size_t Count = 0;
  for (uint64_t Number : In.steps()) {
    std::vector<double> Own;
    for (size_t R = 0; R < In.ranks(); ++R)
      Own.push_back(static_cast<double>(In.at(R, Number).OwnNs));
    double Longer = Own[Rank] - lowerMedian(Own);
    Count += Longer >= RanksStepExcess * Excess ? 1 : 0;
  }
  return static_cast<double>(Count) >=
         RanksMostSteps * static_cast<double>(In.steps().size());
}

// Ranks that are late in each step; false if there are none.
bool findAlwaysLate(const std::vector<Run> &All, Comparison &In, StageRanks &To,
                    double &MostExcess) {
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

void findLateInTurns(Comparison &In, double MostExcess, StageRanks &To) {
  std::vector<double> Lost;
  PhaseTimes Excess;
  double Sum = 0;
  for (uint64_t Number : In.steps()) {
    std::vector<double> Own;
    for (size_t R = 0; R < In.ranks(); ++R)
      Own.push_back(static_cast<double>(In.at(R, Number).OwnNs));
    auto Last = static_cast<size_t>(std::max_element(Own.begin(), Own.end()) -
                                    Own.begin());
    double Longer = Own[Last] - lowerMedian(Own);
    Lost.push_back(Longer);
    Sum += Longer;
    for (const auto &[Phase, Ns] : In.phasesOf(Last, In.at(Last, Number))) {
      std::vector<double> Each;
      for (size_t R = 0; R < In.ranks(); ++R) {
        const OwnStep &Other = In.at(R, Number);
        Each.push_back(Comparison::most(Other, In.phasesOf(R, Other), Phase));
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
  Comparison In(All, Found, Kind);
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

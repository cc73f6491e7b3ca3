// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several loops, the one with the most records is compared.

#include "Analysis/Ranks/StepComparison.h"

#include "Analysis/Thresholds.h"
#include "Support/Median.h"

#include <algorithm>
#include <cmath>

using namespace loopscope;

// The records of R's loop of KIND with the most; a sample is preferred to a
// record of several steps.
static StepRecords recordsOf(const Run &R, const Stages &Found,
                             loopscope_kind Kind) {
  std::map<uint32_t, StepRecords> ByLoop;
  for (const OwnStep &Each : R.OwnSteps)
    if (Found.Of[Each.Node] == Kind) {
      const OwnStep *&To = ByLoop[Each.Node][Each.Number];
      if (To == nullptr || Each.Steps < To->Steps)
        To = &Each;
    }
  StepRecords Most;
  for (auto &[Node, Each] : ByLoop)
    if (Each.size() > Most.size())
      Most = std::move(Each);
  return Most;
}

double loopscope::trimmedMean(std::vector<double> Of) {
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

double loopscope::mostOf(const OwnStep &Of, const PhaseNs &Listed,
                         uint32_t Phase) {
  if (auto At = Listed.find(Phase); At != Listed.end())
    return At->second;
  return Of.Phases.size() < LOOPSCOPE_COLLECTIVE_PHASES
             ? 0
             : static_cast<double>(Of.Phases.back().Ns);
}

StepComparison::StepComparison(const std::vector<Run> &All,
                               const std::vector<Stages> &Found,
                               loopscope_kind Kind)
    : All(All) {
  for (size_t R = 0; R < All.size(); ++R)
    Of.push_back(recordsOf(All[R], Found[R], Kind));
  for (const auto &[Number, Each] : Of.front())
    if (isCommon(Number))
      Steps.push_back(Number);
  update();
}

bool StepComparison::isCommon(uint64_t Number) const {
  return std::all_of(Of.begin(), Of.end(), [&](const StepRecords &Each) {
    auto At = Each.find(Number);
    return At != Each.end() && At->second->Steps == 1;
  });
}

std::vector<double> StepComparison::ownAt(uint64_t Number) const {
  std::vector<double> Result;
  Result.reserve(ranks());
  for (size_t R = 0; R < ranks(); ++R)
    Result.push_back(static_cast<double>(at(R, Number).OwnNs));
  return Result;
}

void StepComparison::update() {
  Usual.clear();
  std::vector<double> Lengths;
  for (size_t R = 0; R < ranks(); ++R) {
    std::vector<double> Own;
    for (uint64_t Number : Steps) {
      Own.push_back(static_cast<double>(at(R, Number).OwnNs));
      Lengths.push_back(static_cast<double>(at(R, Number).Ns));
    }
    Usual.push_back(trimmedMean(std::move(Own)));
  }
  StepNs = Lengths.empty() ? 0 : lowerMedian(std::move(Lengths));
}

std::map<StepComparison::StepKey, std::vector<StepComparison::Recorded>>
StepComparison::recordsByStep() const {
  std::map<StepKey, std::vector<Recorded>> Result;
  for (size_t R = 0; R < ranks(); ++R)
    for (const auto &[Number, Step] : Of[R])
      Result[{Number, Step->Steps}].push_back(
          {R, Step,
           static_cast<double>(Step->OwnNs) -
               static_cast<double>(Step->Steps) * Usual[R]});
  return Result;
}

void StepComparison::leaveOut(const std::vector<uint64_t> &Numbers) {
  std::erase_if(Steps, [&](uint64_t Each) {
    return std::find(Numbers.begin(), Numbers.end(), Each) != Numbers.end();
  });
  update();
}

double StepComparison::noise() const {
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

bool StepComparison::areSynchronised() const {
  std::vector<double> Sums[3]; // by rank: of a half of the steps each, of all
  for (size_t R = 0; R < ranks(); ++R) {
    double Half[2] = {};
    for (size_t I = 0; I < Steps.size(); ++I)
      Half[I * 2 / Steps.size()] += static_cast<double>(at(R, Steps[I]).Ns);
    Sums[0].push_back(Half[0]);
    Sums[1].push_back(Half[1]);
    Sums[2].push_back(Half[0] + Half[1]);
  }
  auto Differ = [&](size_t Fast, size_t Slow, size_t Part) {
    return Sums[Part][Slow] > Sums[Part][Fast] * (1 + RanksSameSteps);
  };
  // Ranks that begin the loop at different times wait in their first steps.
  for (const std::vector<double> &Each : Sums) {
    auto [Least, Most] = std::minmax_element(Each.begin(), Each.end());
    auto Fast = static_cast<size_t>(Least - Each.begin());
    auto Slow = static_cast<size_t>(Most - Each.begin());
    if (Differ(Fast, Slow, 0) && Differ(Fast, Slow, 1))
      return false;
  }
  return true;
}

uint32_t StepComparison::phaseOf(size_t Rank, uint32_t Node) {
  auto [At, IsNew] = Numbers.try_emplace(phaseKeyOf(All[Rank], Node),
                                         static_cast<uint32_t>(Keys.size()));
  if (IsNew)
    Keys.push_back(At->first);
  return At->second;
}

PhaseNs StepComparison::phasesOf(size_t Rank, const OwnStep &Of) {
  PhaseNs Result;
  for (const StepPhase &Each : Of.Phases)
    Result[phaseOf(Rank, Each.Node)] += static_cast<double>(Each.Ns);
  return Result;
}

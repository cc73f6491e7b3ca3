// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a step, the rank that waited least came last. It was late by as much as
// the others waited longer. The upper median of the others counts, so that a
// single early or late rank makes no difference. The cause is sought in what
// ranks did since the collective before: a phase that took the late rank longer
// than the others and accounts for most of its excess.

#include "Analysis/Ranks/Stragglers.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/PhaseKey.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// A step: its instances, and what each rank waited in them.
struct Step {
  std::vector<const MatchedInstance *> Instances;
  std::vector<int64_t> WaitNs;
  size_t Last = 0; // rank
  int64_t LateNs = 0;
};

std::vector<Step> stepsOf(const std::vector<MatchedInstance> &Matched,
                          size_t Ranks) {
  std::map<std::pair<uint32_t, uint64_t>, Step> ByStep;
  for (const MatchedInstance &Each : Matched) {
    Step &To = ByStep[Each.Step];
    To.Instances.push_back(&Each);
    To.WaitNs.resize(Ranks);
    for (size_t R = 0; R < Ranks; ++R)
      To.WaitNs[R] = saturatingAdd(To.WaitNs[R], Each.WaitNs[R]);
  }
  std::vector<Step> Result;
  for (auto &[Key, Each] : ByStep) {
    auto Least = std::min_element(Each.WaitNs.begin(), Each.WaitNs.end());
    Each.Last = static_cast<size_t>(Least - Each.WaitNs.begin());
    Each.LateNs = medianOfOthers(Each.WaitNs, Each.Last) - *Least;
    Result.push_back(std::move(Each));
  }
  return Result;
}

using PhaseSums = std::map<PhaseKey, int64_t>;

// Numbers the phases of all ranks, with one number for the same phase in each.
// Most are looked up once per instance.
class PhaseNumbers {
public:
  explicit PhaseNumbers(const std::vector<Run> &All) : All(All) {
    for (const Run &R : All)
      Of.emplace_back(R.Nodes.size(), None);
  }
  uint32_t of(size_t Rank, uint32_t Node) {
    uint32_t &Known = Of[Rank][Node];
    if (Known != None)
      return Known;
    auto [At, IsNew] = Numbers.try_emplace(phaseKeyOf(All[Rank], Node),
                                           static_cast<uint32_t>(Keys.size()));
    if (IsNew)
      Keys.push_back(At->first);
    return Known = At->second;
  }
  const PhaseKey &key(uint32_t Number) const { return Keys[Number]; }

private:
  const std::vector<Run> &All;
  std::vector<std::vector<uint32_t>> Of; // by rank and node
  std::map<PhaseKey, uint32_t> Numbers;
  std::vector<PhaseKey> Keys;
};

// What a rank did before an instance. Rest: an upper bound for any phase that
// isn't listed.
struct Before {
  std::array<std::pair<uint32_t, int64_t>, LOOPSCOPE_COLLECTIVE_PHASES> Phases;
  size_t Count = 0;
  int64_t RestNs = 0;

  Before(size_t Rank, const CollectiveInstance &Did, PhaseNumbers &Numbers) {
    for (const WorkPhase &Each : Did.Phases) {
      uint32_t Number = Numbers.of(Rank, Each.Node);
      auto *End = Phases.begin() + Count;
      auto *At = std::find_if(Phases.begin(), End, [&](const auto &Known) {
        return Known.first == Number;
      });
      if (At == Phases.end())
        break; // the reader takes no more than there is room for
      if (At == End)
        Phases[Count++] = {Number, 0};
      At->second = saturatingAdd(At->second, Each.Ns);
    }
    if (Did.Phases.size() >= LOOPSCOPE_COLLECTIVE_PHASES)
      RestNs = Did.Phases.back().Ns;
  }

  int64_t of(uint32_t Number) const {
    for (size_t I = 0; I < Count; ++I)
      if (Phases[I].first == Number)
        return Phases[I].second;
    return RestNs;
  }
};

// By how much a rank was slower than the others, in all and by phase.
struct RankExcess {
  int64_t AllNs = 0;
  PhaseSums Phases;
  uint64_t Instances = 0;
  uint64_t Unknown = 0; // instances without phases

  void add(const RankExcess &Other) {
    AllNs = saturatingAdd(AllNs, Other.AllNs);
    for (const auto &[Key, Ns] : Other.Phases) {
      int64_t &To = Phases[Key];
      To = saturatingAdd(To, Ns);
    }
    Instances += Other.Instances;
    Unknown += Other.Unknown;
  }

  // The phase with the largest excess, and its part of LATE_NS, by which the
  // rank was late; empty if nothing can be said. A rank may be late for reasons
  // other than its work: it may have left the collective before late.
  std::pair<PhaseKey, double> cause(int64_t LateNs) const {
    auto Most = std::max_element(
        Phases.begin(), Phases.end(),
        [](const auto &A, const auto &B) { return A.second < B.second; });
    bool IsKnown = Most != Phases.end() && AllNs > 0 && Unknown * 2 < Instances;
    if (!IsKnown)
      return {};
    double Part = static_cast<double>(Most->second) /
                  static_cast<double>(std::max(AllNs, LateNs));
    if (Part < RanksExplained)
      return {};
    return {Most->first, std::min(Part, 1.0)};
  }
};

// The excess of rank LATE in one instance.
RankExcess excessOf(const MatchedInstance &Of, size_t Late,
                    PhaseNumbers &Numbers) {
  RankExcess Result;
  Result.Instances = 1;
  std::vector<int64_t> Work;
  std::vector<Before> Did;
  Work.reserve(Of.Of.size());
  Did.reserve(Of.Of.size());
  for (size_t R = 0; R < Of.Of.size(); ++R) {
    if (!Of.Of[R]->HasPhases) {
      Result.Unknown = 1;
      return Result;
    }
    Work.push_back(Of.Of[R]->WorkNs);
    Did.emplace_back(R, *Of.Of[R], Numbers);
  }
  int64_t Own = Work[Late];
  Result.AllNs = Own - medianOfOthers(std::move(Work), Late);
  for (size_t I = 0; I < Did[Late].Count; ++I) {
    auto [Number, Ns] = Did[Late].Phases[I];
    std::vector<int64_t> Each;
    Each.reserve(Did.size());
    for (const Before &Rank : Did)
      Each.push_back(Rank.of(Number));
    Result.Phases[Numbers.key(Number)] =
        Ns - medianOfOthers(std::move(Each), Late);
  }
  return Result;
}

void nameCause(const RankExcess &Of, int64_t LateNs, std::string &Phase,
               std::string &File, uint32_t &Line, double &Part) {
  auto [Key, Explained] = Of.cause(LateNs);
  std::tie(Phase, File, Line) = Key;
  Part = Explained;
}

// The others' waiting, as a part of the step time of the compared steps.
double lostPart(const StageRanks &Of, size_t Compared, int64_t LateNs) {
  double StepNs = 0;
  size_t Ranks = 0;
  for (const RankRow &Row : Of.Rows)
    if (Row.Steps != 0) {
      StepNs +=
          static_cast<double>(Row.ElapsedNs) / static_cast<double>(Row.Steps);
      ++Ranks;
    }
  if (StepNs <= 0)
    return 0;
  StepNs *= static_cast<double>(Compared) / static_cast<double>(Ranks);
  return static_cast<double>(LateNs) / StepNs;
}
} // namespace

void loopscope::findStragglers(const std::vector<Run> &All,
                               const std::vector<MatchedInstance> &Matched,
                               double MostLost, StageRanks &To) {
  std::vector<Step> Steps = stepsOf(Matched, All.size());
  To.StepsCompared = Steps.size();
  std::vector<RankExcess> Of(All.size());
  RankExcess Any;
  PhaseNumbers Numbers(All);
  int64_t LateNs = 0;
  for (const Step &Each : Steps) {
    RankRow &Row = To.Rows[Each.Last];
    ++Row.LastCount;
    Row.LateNs = saturatingAdd(Row.LateNs, Each.LateNs);
    LateNs = saturatingAdd(LateNs, Each.LateNs);
    for (const MatchedInstance *Instance : Each.Instances) {
      RankExcess Next = excessOf(*Instance, Each.Last, Numbers);
      Of[Each.Last].add(Next);
      Any.add(Next);
    }
  }
  if (Steps.size() < RanksFewestSteps)
    return;
  Straggler &Late = To.Late;
  Late.Kind = StragglerKind::None;
  Late.LostPart = std::min(MostLost, lostPart(To, Steps.size(), LateNs));
  if (Late.LostPart < RanksLost)
    return;
  for (size_t R = 0; R < All.size(); ++R)
    if (RankRow &Row = To.Rows[R]; Row.LastCount != 0)
      nameCause(Of[R], Row.LateNs, Row.CulpritPhase, Row.CulpritFile,
                Row.CulpritLine, Row.CulpritPart);
  auto Most = std::max_element(
      To.Rows.begin(), To.Rows.end(),
      [](const RankRow &A, const RankRow &B) { return A.LateNs < B.LateNs; });
  double Share =
      static_cast<double>(Most->LateNs) / static_cast<double>(LateNs);
  Late.Row = static_cast<size_t>(Most - To.Rows.begin());
  Late.LastPart = static_cast<double>(Most->LastCount) /
                  static_cast<double>(To.StepsCompared);
  Late.Kind =
      Share >= (All.size() == 2 ? RanksPersistentOfTwo : RanksPersistent)
          ? StragglerKind::Persistent
          : StragglerKind::Rotating;
  bool IsOne = Late.Kind == StragglerKind::Persistent;
  nameCause(IsOne ? Of[Late.Row] : Any, IsOne ? Most->LateNs : LateNs,
            Late.Phase, Late.File, Late.Line, Late.Explained);
}

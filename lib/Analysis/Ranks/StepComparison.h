// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The own time of the same steps in all ranks, side by side.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_STEPCOMPARISON_H
#define LOOPSCOPE_ANALYSIS_RANKS_STEPCOMPARISON_H

#include "Analysis/Tree/PhaseKey.h"
#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace loopscope {

/// A rank's records of one loop, by step.
using StepRecords = std::map<uint64_t, const OwnStep *>;

/// Nanoseconds by number of a phase (StepComparison::phaseOf).
using PhaseNs = std::map<uint32_t, double>;

/// The mean of the middle half; 0 of nothing.
double trimmedMean(std::vector<double> Of);

/// The steps that all ranks have on record, and what is compared between them.
/// A rank's usual own time is the mean of the middle half of its sampled steps,
/// so that single events don't make it "always late". Times are nanoseconds.
class StepComparison {
public:
  /// Of the loops of \p Kind in \p All, whose stages are \p Found. \p All must
  /// outlive it.
  StepComparison(const std::vector<Run> &All, const std::vector<Stages> &Found,
                 loopscope_kind Kind);

  size_t ranks() const { return Of.size(); }

  /// The steps that are single ones, and on record, in all ranks.
  const std::vector<uint64_t> &steps() const { return Steps; }
  /// The record of one of steps().
  const OwnStep &at(size_t Rank, uint64_t Number) const {
    return *Of[Rank].at(Number);
  }
  /// The usual length of a step.
  double stepNs() const { return StepNs; }
  /// A rank's usual own time in a step.
  double usual(size_t Rank) const { return Usual[Rank]; }
  /// Each rank's own time in one of steps().
  std::vector<double> ownAt(uint64_t Number) const;

  /// A record of some steps in one rank.
  struct Recorded {
    size_t Rank;
    const OwnStep *Step;
    double ExcessNs; ///< own time beyond the rank's usual one
  };
  /// Calls \p Visit with the records of each step, or of the same few steps,
  /// that at least half of the ranks and two have, in order of steps and ranks.
  template <typename Function> void forEachStep(Function Visit) const {
    for (const auto &[Key, Each] : recordsByStep())
      if (Each.size() >= 2 && Each.size() * 2 >= ranks())
        Visit(Each);
  }

  /// From now on, \p Numbers aren't among steps().
  void leaveOut(const std::vector<uint64_t> &Numbers);

  /// Half of what the usual own time of even and odd steps differs by.
  double noise() const;

  /// Whether the steps take the ranks equally long, as those of ranks that wait
  /// for each other do: two ranks differ in both halves of the run if not.
  bool areSynchronised() const;

  /// The number of the phase that \p Node is in \p Rank; equal ones of ranks
  /// have one.
  uint32_t phaseOf(size_t Rank, uint32_t Node);
  const PhaseKey &key(uint32_t Phase) const { return Keys[Phase]; }

  /// The phases of one record.
  PhaseNs phasesOf(size_t Rank, const OwnStep &Of);

private:
  using StepKey = std::pair<uint64_t, uint64_t>; // number, steps
  std::map<StepKey, std::vector<Recorded>> recordsByStep() const;
  bool isCommon(uint64_t Number) const;
  void update();

  const std::vector<Run> &All;
  std::vector<StepRecords> Of;
  std::vector<uint64_t> Steps;
  std::vector<double> Usual;
  double StepNs = 0;
  std::map<PhaseKey, uint32_t> Numbers;
  std::vector<PhaseKey> Keys;
};

/// The most that a record with the phases \p Listed may have of \p Phase: one
/// that isn't listed took no longer than the last one that is.
double mostOf(const OwnStep &Of, const PhaseNs &Listed, uint32_t Phase);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_STEPCOMPARISON_H

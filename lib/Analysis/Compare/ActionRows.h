// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which row of a comparison's tables a call path counts for, so that pictures
// judge a change as the tables do.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_ACTIONROWS_H
#define LOOPSCOPE_ANALYSIS_COMPARE_ACTIONROWS_H

#include "Analysis/Compare/Diff.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// By node of \p R, a run of either side: its action in \p Stages; null for
/// nodes without a row, such as steps and functions. Valid as long as \p
/// Stages.
std::vector<const ActionChange *>
rowsByNode(const Run &R, const std::vector<StageChange> &Stages);

/// What a change of the time per step rests on.
enum class ChangeBasis : uint8_t {
  Mean,    ///< the mean of a span changed significantly, in the same direction
  Spans,   ///< a step has more or fewer spans: whole numbers on both sides
  New,     ///< only the side after has it
  Gone,    ///< only the side before has it
  Chance,  ///< judged, and may be chance
  Numbers, ///< the mean changed significantly, but time went the other way
  Small,   ///< too small a part to be judged
  Unknown  ///< too little data
};

inline constexpr ChangeBasis AllBases[] = {
    ChangeBasis::Mean,  ChangeBasis::Spans,  ChangeBasis::New,
    ChangeBasis::Gone,  ChangeBasis::Chance, ChangeBasis::Numbers,
    ChangeBasis::Small, ChangeBasis::Unknown};

/// Its word in json: "mean".
const char *keyOf(ChangeBasis Of);

/// Whether the change is unlikely to be chance.
bool isKnown(ChangeBasis Of);

/// A part of a step on both sides.
struct TimeChange {
  double BeforeNs = 0; ///< per step
  double AfterNs = 0;
  double BeforeSpans = 0; ///< per step
  double AfterSpans = 0;
  bool HasSpans = true; ///< false: time beside all spans, which has no number
  ChangeBasis Basis = ChangeBasis::Unknown;

  double ns() const { return AfterNs - BeforeNs; }
  /// Sets Basis. \p Test and \p IsSmall: of the mean of its spans. \p
  /// ManySteps: so many that each has the same whole number of spans if their
  /// mean is one.
  void judge(const std::optional<MeanTest> &Test, bool IsSmall, bool ManySteps);
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_ACTIONROWS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that aren't like the others of their loop: the first of an execution,
// which starts a loader, and rare ones that take much longer. A mean that they
// make up says little about the rest.

#ifndef LOOPSCOPE_ANALYSIS_ACCOUNT_UNEVENSTEPS_H
#define LOOPSCOPE_ANALYSIS_ACCOUNT_UNEVENSTEPS_H

#include "Analysis/Account/Account.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// The waiting for data in the first steps of the training loops' executions.
struct FirstDraws {
  uint64_t Steps = 0;
  int64_t Ns = 0;
  int64_t AllNs = 0; ///< in all steps of the training loops
  /// Of the other steps' time, the share in which they wait for data; negative
  /// if it isn't known.
  double OtherShare = -1;

  bool isMost() const { return Steps != 0 && Ns >= AllNs - Ns; }
};

/// Of the training loops of \p Of, or of all if it has none: the first steps
/// that wait much longer than their loop's others, if they have a large part of
/// all waiting (Thresholds.h). No steps if there is none.
FirstDraws firstDrawsOf(const Account &Of);

/// "600.0ms of 829.0ms of waiting for data is in the first steps of 3
/// executions; in the other steps it is 58.4% of the time." Empty without such
/// steps.
std::string firstDrawsNote(const FirstDraws &Of);

/// The few steps of a loop that took many times its median.
struct RareSteps {
  uint64_t Steps = 0;
  int64_t Ns = 0; ///< of these, with the histogram's error; at most the loop's
  double MedianNs = 0;
};

/// The rare steps of \p Of, if they have a large part of its time
/// (Thresholds.h), and no loop inside it explains them. No steps if there is
/// none.
RareSteps rareStepsOf(const LoopAccount &Of);

/// The sentences about first and rare steps of \p Of, the account of \p R.
std::vector<std::string> unevenStepsNotes(const Run &R, const Account &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_ACCOUNT_UNEVENSTEPS_H

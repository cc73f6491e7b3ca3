// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the thread spent the parts of an account: the same time, split a second
// time, by the rules by which the verdict judges.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_ACCOUNTUSES_H
#define LOOPSCOPE_ANALYSIS_VERDICT_ACCOUNTUSES_H

#include "Analysis/Account/Account.h"
#include "Run/Model/Run.h"

#include <vector>

namespace loopscope {

/// \p To and \p From together.
void addUses(const TimeUses &From, TimeUses &To);

/// The uses of an account, in the order of its parts.
struct AccountUses {
  bool IsKnown = false; ///< of any part but the profiler's
  std::vector<TimeUses> Outside;
  std::vector<std::vector<TimeUses>> Loops;
};

/// The uses of \p Of, the account of \p R.
AccountUses accountUses(const Run &R, const Account &Of);

/// Run::HostTimes of \p R, which has no device and whose nodes are all there.
std::vector<HostTime> hostTimesOf(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_ACCOUNTUSES_H

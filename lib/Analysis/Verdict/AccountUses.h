// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the thread spent the parts of an account: the same time, split a second
// time, by the rules by which the verdict judges.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_ACCOUNTUSES_H
#define LOOPSCOPE_ANALYSIS_VERDICT_ACCOUNTUSES_H

#include "Analysis/Account/Account.h"
#include "Run/Model/Run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// One way to spend time. See HostUse.
enum class TimeUse : uint8_t {
  Computing,
  Faulting,
  Starved,
  OwnThreads, ///< waiting while the program's other threads computed
  Waiting,    ///< off the processor, or in a marked wait, for anything else
  Device,     ///< in calls that wait for a device
  Communicating,
  Profiler,
  Unknown
};

inline constexpr size_t TimeUseCount = 9;

/// Nanoseconds by use; they add up to the part.
using TimeUses = std::array<int64_t, TimeUseCount>;

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

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_ACCOUNTUSES_H

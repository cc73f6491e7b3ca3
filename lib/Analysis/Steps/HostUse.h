// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How host time was spent, as far as that is known. It is judged once, for each
// call path; the verdict, the recommendations and the account add that up, by
// phase or by part, so that they agree.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_HOSTUSE_H
#define LOOPSCOPE_ANALYSIS_STEPS_HOSTUSE_H

#include "Run/Model/Run.h"

#include <cstdint>

namespace loopscope {

/// Splits \p All nanoseconds, of which \p Marked were in marked waits and
/// \p Sync in calls that wait for a device, by \p S, which the kernel reported.
/// Calls that wait for a device are in no use: they are what all() lacks.
HostUse hostUseOf(int64_t All, int64_t Marked, int64_t Sync, const CpuSums &S);

/// The use of \p OwnNs nanoseconds of a call path, of which \p BlockedNs were
/// in calls that wait for a device. \p IsWait: it is a marked wait or in one,
/// and so waiting whatever the processor did.
HostUse pathUse(int64_t OwnNs, int64_t BlockedNs, bool IsWait,
                const CpuSums &S);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_HOSTUSE_H

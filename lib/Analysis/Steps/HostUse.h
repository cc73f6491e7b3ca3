// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How host time was spent, as far as that is known. It is judged once, for each
// call path; the verdict, the recommendations and the account add that up, by
// phase or by part, so that they agree.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_HOSTUSE_H
#define LOOPSCOPE_ANALYSIS_STEPS_HOSTUSE_H

#include "Run/Model/Run.h"

#include <cstdint>

namespace loopscope {

/// Nanoseconds of wall time, split without overlap. What can't be shown to
/// belong to one use is Unknown.
struct HostUse {
  int64_t Computing = 0; ///< on the processor, which may wait for memory
  int64_t Faulting = 0;  ///< with page faults, on the processor or reading
  int64_t Starved = 0;   ///< ready to run, without a processor
  int64_t Waiting = 0;   ///< off the processor for any other reason
  /// Of Waiting, while other threads of the process computed: the share of the
  /// time in which, on average, one did.
  int64_t BesideThreads = 0;
  /// Of Waiting, where the time on the run queue wasn't read: the thread left
  /// the processor by itself, but may have been ready before it came back.
  int64_t MaybeReady = 0;
  int64_t Unknown = 0;

  int64_t known() const;
  int64_t all() const;
  void add(const HostUse &Other);
};

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How phases spent the host's time, as far as that is known. The verdict and
// the recommendations judge by it.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_HOSTUSE_H
#define LOOPSCOPE_ANALYSIS_VERDICT_HOSTUSE_H

#include "Analysis/Steps/StepTime.h"

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
  /// phase's time in which, on average, one did.
  int64_t BesideThreads = 0;
  int64_t Unknown = 0;

  int64_t known() const;
  int64_t all() const;
  void add(const HostUse &Other);
};

/// Splits \p All nanoseconds, of which \p Marked were in marked waits and
/// \p Sync in calls that wait for a device, by \p S, which the kernel reported.
/// Calls that wait for a device are in no use: they are what all() lacks.
HostUse hostUseOf(int64_t All, int64_t Marked, int64_t Sync, const CpuSums &S);

/// Covers the time spent waiting for data.
HostUse inputUse(const PhaseTime &Of);

/// Covers all other host time, except calls that wait for a device.
HostUse hostUse(const PhaseTime &Of);

/// One use, over both of the above.
int64_t computingOf(const PhaseTime &P);     ///< without waiting for data
int64_t waitingOf(const PhaseTime &P);       ///< without waiting for data
int64_t waitingAloneOf(const PhaseTime &P);  ///< of it, less the next one
int64_t besideThreadsOf(const PhaseTime &P); ///< of waitingOf()
int64_t markedWaitOf(const PhaseTime &P);    ///< of waitingAloneOf()
int64_t faultingOf(const PhaseTime &P);
int64_t starvedOf(const PhaseTime &P);

/// Sums over all phases.
HostUse inputUse(const StepTime &Of);
HostUse hostUse(const StepTime &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_HOSTUSE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the host's time of phases was spent, as far as that is known: what the
// verdict and the recommendations judge by.

#ifndef LOOPSCOPE_ANALYSIS_HOSTUSE_H
#define LOOPSCOPE_ANALYSIS_HOSTUSE_H

#include "Analysis/StepTime.h"

#include <cstdint>

namespace loopscope {

/// Nanoseconds of wall time, no two of them the same time. What can't be shown
/// to be of one use is Unknown.
struct HostUse {
  int64_t Computing = 0; ///< on the processor, which may wait for memory
  int64_t Faulting = 0;  ///< with page faults, on the processor or reading
  int64_t Starved = 0;   ///< ready to run, without a processor
  int64_t Waiting = 0;   ///< off the processor for any other reason
  int64_t Unknown = 0;

  int64_t known() const;
  int64_t all() const;
  void add(const HostUse &Other);
};

/// Of waiting for data.
HostUse inputUse(const PhaseTime &Of);

/// Of all other time on the host, without calls that wait for a device.
HostUse hostUse(const PhaseTime &Of);

/// One use of both.
int64_t computingOf(const PhaseTime &P); ///< without waiting for data
int64_t waitingOf(const PhaseTime &P);   ///< without waiting for data
int64_t faultingOf(const PhaseTime &P);
int64_t starvedOf(const PhaseTime &P);

/// All phases' sums.
HostUse inputUse(const StepTime &Of);
HostUse hostUse(const StepTime &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_HOSTUSE_H

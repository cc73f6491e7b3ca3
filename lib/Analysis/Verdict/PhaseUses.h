// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The uses of phases' host time that the verdict and the recommendations judge
// by.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_PHASEUSES_H
#define LOOPSCOPE_ANALYSIS_VERDICT_PHASEUSES_H

#include "Analysis/Steps/StepTime.h"

#include <cstdint>

namespace loopscope {

/// Covers all host time but waiting for data, except communication and calls
/// that wait for a device.
HostUse hostUse(const PhaseTime &Of);

/// One use, over that and waiting for data unless it says so.
int64_t computingOf(const PhaseTime &P);     ///< without waiting for data
int64_t waitingOf(const PhaseTime &P);       ///< without waiting for data
int64_t waitingAloneOf(const PhaseTime &P);  ///< of it, less the next one
int64_t besideThreadsOf(const PhaseTime &P); ///< of waitingOf()
int64_t maybeReadyOf(const PhaseTime &P);    ///< of waitingOf()
int64_t markedWaitOf(const PhaseTime &P);    ///< of waitingAloneOf()
int64_t faultingOf(const PhaseTime &P);
int64_t starvedOf(const PhaseTime &P);

/// Sums over all phases, of waiting for data and of the rest.
HostUse inputUse(const StepTime &Of);
HostUse hostUse(const StepTime &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_PHASEUSES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts that phases have in a run's steps, from its tree and from the
// device work of its call paths.

#ifndef LOOPSCOPE_ANALYSIS_PHASETIMES_H
#define LOOPSCOPE_ANALYSIS_PHASETIMES_H

#include "Analysis/StepTime.h"
#include "Run/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// The nodes of the steps that StepTime is of, on every thread; none in one
/// another.
std::vector<uint32_t> outermostSteps(const Run &P);

/// The phases of the steps; without steps, of the main threads. A trace needs
/// its tree with EventStream::NodeOf, else there are none.
std::vector<PhaseTime> phaseTimes(const Run &P);

/// The part of the steps' time in which the limit of a control group withheld a
/// processor, by samples: 0 to 1; negative where there are none.
double throttledPart(const Run &P);

/// Adds a phase's times to those of the same place.
void addPhase(const PhaseTime &From, std::vector<PhaseTime> &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_PHASETIMES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases' parts of a run's steps, from its tree and from the device work of its
// call paths.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_PHASETIMES_H
#define LOOPSCOPE_ANALYSIS_STEPS_PHASETIMES_H

#include "Analysis/Steps/StepTime.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// The nodes of the steps that StepTime covers, on every thread, without those
/// of the warm-up that are left out (NestedLoops.h); none is inside another.
std::vector<uint32_t> outermostSteps(const Run &R);

/// Where a node is.
enum class StepPlace : uint8_t { Outside, Step, Draw };

/// By node, where it is in these steps; without steps, the main threads are
/// one. Loops inside them (NestedLoops.h) are outside.
std::vector<StepPlace> placesInSteps(const Run &R);

/// By node, the node that stands for it in reports: the phase that it is or is
/// in.
std::vector<uint32_t> phaseNodes(const Run &R);

/// By node, whether it is waiting for data in a step of any loop.
std::vector<bool> inDraws(const Run &R);

/// By node, whether it is a marked wait or inside one.
std::vector<bool> inWaits(const Run &R);

/// By node, WAIT or COLLECTIVE if it is or is in one; of several inside each
/// other, the outermost. Else ROOT.
std::vector<loopscope_kind> waitsAround(const Run &R);

/// The phases of the steps or, without steps, of the main threads. A trace
/// needs its tree with EventStream::NodeOf, otherwise there are none.
std::vector<PhaseTime> phaseTimes(const Run &R);

/// The part of the steps' time in which a control group's limit withheld a
/// processor, from samples: 0 to 1; negative if there are none.
double throttledPart(const Run &R);

/// Adds a phase's times to the entry for the same place.
void addPhase(const PhaseTime &From, std::vector<PhaseTime> &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_PHASETIMES_H

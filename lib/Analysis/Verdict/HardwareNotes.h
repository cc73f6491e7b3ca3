// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be said of GPUs' hardware in sentences: which part of it bounds a
// phase, what held it back, what a step costs in energy.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_HARDWARENOTES_H
#define LOOPSCOPE_ANALYSIS_VERDICT_HARDWARENOTES_H

#include "Analysis/Device/HardwareRows.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// The sentences of a run, none without figures.
struct HardwareNotes {
  /// Of phases with figures of their own, those with most GPU time first;
  /// without any, of the training step.
  std::vector<std::string> Phases;
  std::vector<std::string> HeldBack; ///< a sentence for each cause
  std::string Clock;           ///< what PM sampling did to it, if anything
  std::string Energy;          ///< of a step, as far as it is known
  std::optional<double> Watts; ///< mean over the run, all GPUs
  std::string StepEnergy;      ///< "856 J"; empty if it isn't known

  /// All sentences, in this order.
  std::vector<std::string> all() const;
};
HardwareNotes hardwareNotes(const Run &R);

/// What bounds work with these figures while it keeps a GPU busy; empty where
/// they don't say.
std::string hardwareBound(const HardwareRow &Its);

/// Joules that one execution of a step, loop, epoch or stage takes, of all GPUs
/// with figures: their mean power in it, times its mean duration. None for
/// other call paths, for which power isn't known.
std::optional<double> joulesPerCall(const HardwareRow &Its, const Path &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_HARDWARENOTES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operators, kernels and overview views show of a run, or of several
// as one. All arithmetic of these views ends here; tables and documents only
// read it.
//
//   a trace    by the rules of the TensorBoard plugin, from its events
//   a profile  from the sums of its call paths, which hold the whole run; the
//              split of steps by role from its timeline

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_FIGURES_H
#define LOOPSCOPE_ANALYSIS_VERDICT_FIGURES_H

#include "Analysis/Account/UnevenSteps.h"
#include "Analysis/Device/GpuRows.h"
#include "Analysis/Device/KernelRows.h"
#include "Analysis/Device/MemoryOfSteps.h"
#include "Analysis/Device/OperatorRows.h"
#include "Analysis/Steps/StepTime.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// Which figures are wanted; the others stay empty. A trace's calls are nested
/// in any case, because that also finds its losses.
struct FigureParts {
  bool Operators = true;
  bool SelfHostTime = true; ///< operators' own, too, without Python functions
  bool Kernels = true;      ///< with copies, sets and memory
  bool Steps = true;        ///< with devices
  StepLimits Limits = StepLimits::Marks;
  bool Time = true;     ///< of the steps, for verdict and recommendations
  bool Held = true;     ///< memory by step
  bool ByPhase = false; ///< all of these split by phase
  bool ByShape = false; ///< operators split by their inputs
};

/// The figures of a run. Much smaller than the traces that they come from.
struct Figures {
  RunInfo About;      ///< with its devices' properties and peaks
  uint64_t Files = 1; ///< traces that these are sums of
  std::vector<OperatorRow> Operators;
  bool HasOperators = false;     ///< of LibTorch; else phases and functions
  bool HasInputs = false;        ///< some operators' inputs are on record
  int64_t UnownedDeviceTime = 0; ///< ns, launched by no operator
  /// Of a trace, what PyTorch's table calls "Self CPU time total", ns: with the
  /// ranges of record_function, which are no operators, and without Python's
  /// frames.
  int64_t SelfHostTime = 0;
  bool HasCudaCalls = false; ///< of a trace, on the host
  std::vector<KernelRow> Kernels;
  std::vector<CopyRow> Copies;
  MemoryRows Memory;
  /// Why a profile has no device work; empty if that isn't known.
  std::string GpuNote;
  /// For profiles without steps by role, only the devices.
  StepAnalysis Steps;
  bool HasSteps = false; ///< whether Steps holds steps by role
  MemoryOfSteps Held;
  /// Where it was wanted.
  std::optional<StepTime> Time;
  /// For a profile: why there is no split by step, or why Time doesn't cover
  /// the steps that are split; empty if it does.
  std::string StepsNote;
  /// For a profile, of its account: outsideNote(), firstDrawsOf() and
  /// unevenStepsNotes().
  std::string OutsideNote;
  FirstDraws FirstSteps;
  std::vector<std::string> UnevenSteps;
};

/// The figures of \p Of, which is a trace with its events, or a profile.
Figures figuresOf(const Run &Of, const FigureParts &Wanted);

/// The figures of several traces, at least one. Operators and kernels of the
/// same name become one row, and the steps of all traces follow one another.
/// Devices of different traces stay separate, since two ranks may both call
/// theirs "0".
Figures mergeFigures(std::vector<Figures> All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_FIGURES_H

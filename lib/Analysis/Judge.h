// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rules of the verdict and of the recommendations share: shares of the
// steps, and the phases that have most of a use. Private to these.

#ifndef LOOPSCOPE_ANALYSIS_JUDGE_H
#define LOOPSCOPE_ANALYSIS_JUDGE_H

#include "Analysis/StepTime.h"
#include "Analysis/Verdict.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// "12.3 %" of 0.123.
std::string percent(double Part);

/// "FILE:LINE"; calls of MPI have a communicator and no line.
std::string placeText(const std::string &File, uint32_t Line);

/// What a phase has of one use, nanoseconds.
using UseOf = int64_t (*)(const PhaseTime &);

int64_t sumOf(const StepTime &Of, UseOf Use);

/// All time on the host that isn't waiting for data.
int64_t hostOf(const PhaseTime &P);
int64_t inputOf(const PhaseTime &P);
int64_t communicationOf(const PhaseTime &P);
/// Both, and what the profiler's own hooks took of them.
int64_t allOf(const PhaseTime &P);
int64_t hooksOf(const PhaseTime &P);

/// What "of the step time" is of: all time of the phases, communication too. In
/// a trace that is left out, as it may run beside the steps.
int64_t wholeOf(const StepTime &Of);

/// Names the phase that has most of a use, by name, and the place that has most
/// of that. Returns its part of all phases' use.
double namePhase(const StepTime &Of, UseOf Use, Verdict &To);

/// The phases that have most of a use, at most three.
std::vector<PhasePlace> placesWith(const StepTime &Of, UseOf Use);

/// The steps' time in parts, each 0 to 1.
struct Parts {
  explicit Parts(const StepTime &Of);

  double Kernels, Copies, Communication, Idle, InputIdle;
  double Input, Blocked, Launch;
  double Host; ///< neither waiting for data nor for a device
  const char *Span;
};

/// The class and its sentence by what the host did, where that is known; else
/// V is as it was. WITH_INPUT: waiting for data may be what takes most.
bool judgeHostUse(const StepTime &Of, const Parts &P, bool WithInput,
                  Verdict &V);

/// Whether our own hooks bound the steps; then V says so.
bool judgeProfiler(const StepTime &Of, const Parts &P, Verdict &V);

/// "; 98.0 % of that on the processor"; empty where nothing is known.
std::string loaderUse(const StepTime &Of);

/// What is said of WHO's time where its use isn't known: that, why, and what to
/// turn on. "whether batches worked or waited isn't recorded: ...".
std::string unknownUse(const StepTime &Of, const char *Who, const char *Where);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_JUDGE_H

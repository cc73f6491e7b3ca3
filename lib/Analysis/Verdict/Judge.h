// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rules of the verdict and of the recommendations share: shares of the
// steps, and the phases with most of a use. Private to these.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_JUDGE_H
#define LOOPSCOPE_ANALYSIS_VERDICT_JUDGE_H

#include "Analysis/Steps/StepTime.h"
#include "Analysis/Verdict/Verdict.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// "12.3%" of 0.123.
std::string percent(double Part);

/// "FILE:LINE". Calls of MPI have a communicator and no line.
std::string placeText(std::string_view File, uint32_t Line);

/// A phase's time in one use, nanoseconds.
using UseOf = int64_t (*)(const PhaseTime &);

int64_t sumOf(const StepTime &Of, UseOf Use);

/// All time on the host that isn't waiting for data.
int64_t hostOf(const PhaseTime &P);
int64_t inputOf(const PhaseTime &P);
int64_t communicationOf(const PhaseTime &P);
/// Both, and the time of the profiler's own hooks in them.
int64_t allOf(const PhaseTime &P);
int64_t hooksOf(const PhaseTime &P);

/// The whole that "of the step time" refers to: all time of the phases,
/// including communication. In a trace, communication is left out, because it
/// may run in parallel to the steps.
int64_t wholeOf(const StepTime &Of);

/// Names the phase with most of a use in \p To, summed by name, and its place
/// with most of that. Returns the phase's share of the use.
double namePhase(const StepTime &Of, UseOf Use, Verdict &To);

/// The phases with most of a use, at most three.
std::vector<PhasePlace> placesWith(const StepTime &Of, UseOf Use);

/// The steps' time in parts, each from 0 to 1.
struct Parts {
  explicit Parts(const StepTime &Of);

  double Kernels, Copies, Communication, Idle, InputIdle;
  double Input, Blocked, Launch;
  double Host; ///< neither waiting for data nor for a device
  const char *Span;
};

/// Sets the class and its sentence by what the host did, and returns true, if
/// that is known; else \p V stays as it was. \p WithInput: waiting for data may
/// be what takes most.
bool judgeHostUse(const StepTime &Of, const Parts &P, bool WithInput,
                  Verdict &V);

/// Whether our own hooks bound the steps; if so, \p V says so.
bool judgeProfiler(const StepTime &Of, const Parts &P, Verdict &V);

/// "The wait for data is 98.0% on the CPU"; empty where nothing is known.
std::string loaderUse(const StepTime &Of);

/// Says in \p V why the use of \p Who's time isn't known, and what to turn on:
/// "whether batches worked or waited wasn't recorded". \p Where follows the
/// verb, with its blank; it may be empty.
void explainUnknown(const StepTime &Of, const char *Who, const char *Where,
                    Verdict &V);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_JUDGE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of loopscope_bench, written with the rewriter's macros.

#ifndef LOOPSCOPE_TEST_BENCH_CASES_H
#define LOOPSCOPE_TEST_BENCH_CASES_H

#include "Harness.h"

#include <functional>
#include <vector>

namespace bench {

/// All cases of a recording mode (simple, trace). Case 0 is the floor.
std::vector<Case> recordingCases();

/// The floor, and a phase whose hooks are compiled in but switched off.
std::vector<Case> offCases();

/// Times \p Run on two threads at once: ticks per span, mean of the two.
std::function<double(uint64_t)> twoThreads(uint64_t (*Run)(uint64_t));

/// The floor, and a phase in timeline mode.
std::vector<Case> timelineCases();

/// The same while the timeline's ring (256 MiB) is filled for the first time,
/// which creates its pages: they come in large pieces, so only long batches
/// show their share. Measure it before the other timeline cases.
Figure firstLap();

/// Phases long enough for processor times to be measured at their borders.
/// Figures are relative to the same work without hooks, alternating, in
/// processor time.
struct LongPhase {
  const char *Name;
  Figure Of;
  double Target;
};
std::vector<LongPhase> longPhases();

/// Only full phases in a loop: for counting instructions and memory.
void runPhases(uint64_t Spans);
/// The loop of runPhases without its hooks.
void runEmpty(uint64_t Spans);

} // namespace bench

#endif // LOOPSCOPE_TEST_BENCH_CASES_H

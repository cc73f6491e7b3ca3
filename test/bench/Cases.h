// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases that loopscope_bench measures, written with the macros that the
// rewriter inserts.

#ifndef LOOPSCOPE_TEST_BENCH_CASES_H
#define LOOPSCOPE_TEST_BENCH_CASES_H

#include "Harness.h"

#include <functional>
#include <vector>

namespace bench {

/// Everything that a recording mode (simple, trace) is asked for. Case 0 is the
/// floor.
std::vector<Case> recordingCases();

/// The floor and a phase whose hooks are compiled in but switched off.
std::vector<Case> offCases();

/// Times \p Run on two threads at once: ticks per span, mean of the two.
std::function<double(uint64_t)> twoThreads(uint64_t (*Run)(uint64_t));

/// The floor and a phase in timeline mode.
std::vector<Case> timelineCases();

/// The same while the timeline's ring (256 MiB) is filled for the first time,
/// which makes its pages: they come in large pieces, so that only long batches
/// see their share. To be measured before the other timeline cases.
Figure firstLap();

/// Phases so long that processor times may be measured at their borders.
/// Figures are to the same work without hooks, in turn, by processor time.
struct LongPhase {
  const char *Name;
  Figure Of;
  double Target;
};
std::vector<LongPhase> longPhases();

/// Full phases in a loop, nothing else: for counting instructions and memory.
void runPhases(uint64_t Spans);
/// The loop of runPhases without its hooks.
void runEmpty(uint64_t Spans);

} // namespace bench

#endif // LOOPSCOPE_TEST_BENCH_CASES_H

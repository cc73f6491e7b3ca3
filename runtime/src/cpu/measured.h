// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of each measured node, and its sums in the profile.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_MEASURED_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_MEASURED_H

#include "budget.h"
#include "usage.h"

#include "core/tree.h"

namespace loopscope::runtime {

/// What is kept of a node; of the nodes of a step, with the STEP. Only the
/// node's own thread touches it.
struct Measured {
  Usage Start;     // of the open span
  Usage Drawn;     // STEP: by its draws, once DrawKnown
  Usage DrawStart; // STEP: of an explicit draw, while DrawOpen
  Budget Cpu;
  Budget Starved;
  uint64_t LookedSum; // ticks and spans when it was last looked at
  uint64_t LookedCount;
  uint64_t StartAge; // ticks from Start to the span's beginning
  uint32_t Measures; // of the open span so far
  uint32_t LastMeasures;
  bool IsKnown;
  bool IsFirst;     // no span of the node has ended yet
  bool IsOn;        // its next span is measured
  bool WithStarved; // with the time on the run queue
  bool Open;        // Start is the open span's
  bool DrawKnown;
  bool DrawOpen;
};

/// What is kept of N; null where it was never to be measured.
Measured *findMeasured(const Node *N);
/// The same, made where there is none; null without memory.
Measured *findOrMakeMeasured(const Node *N);
/// Frees all of it: for a forked child.
void forgetMeasured();

/// Registers the sums. When the extension starts.
void registerMeasuredSums();
/// Adds a span of N that took WALL ticks and USED that much to the sums. Where
/// there is no room the span counts as not measured. Wall times come before
/// their parts, and both count the span, so that a reader sees where the
/// process ended between them.
void addMeasured(const Node *N, uint64_t Wall, const Usage &Used);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_MEASURED_H

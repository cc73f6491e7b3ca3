// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data of each measured node, and its sums in the profile.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_MEASURED_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_MEASURED_H

#include "budget.h"
#include "usage.h"

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Data of one node; that of a step's nodes is kept at the STEP. Only the
/// node's own thread uses it.
struct Measured {
  Usage Start;     // at the start of the open span
  Usage Drawn;     // STEP: by its draws, once DrawKnown
  Usage DrawStart; // STEP: of an explicit draw, while DrawOpen
  Budget Cpu;
  Budget Starved;
  uint64_t LookedSum; // ticks and spans at the last look
  uint64_t LookedCount;
  uint64_t StartAge; // ticks from Start to the beginning of the span
  uint32_t Measures; // taken for the open span so far
  uint32_t LastMeasures;
  bool IsKnown;
  bool IsFirst;     // no span of the node has ended yet
  bool IsOn;        // its next span is measured
  bool WithStarved; // includes the time on the run queue
  bool Open;        // Start belongs to the open span
  bool DrawKnown;
  bool DrawOpen;
};

/// The data of N; null if N was never considered.
Measured *findMeasured(const Node *N);
/// The same, made on demand; null if out of memory.
Measured *findOrMakeMeasured(const Node *N);
/// Frees all data, for a forked child.
void forgetMeasured();

/// Registers the sums; call it when the extension starts.
void registerMeasuredSums();
/// Adds a span of N of WALL ticks and usage USED to the sums. If there is no
/// room, the span counts as not measured. Wall times are written before their
/// parts, and both count the span, so that a reader notices if the process
/// ended in between.
void addMeasured(const Node *N, uint64_t Wall, const Usage &Used);
/// Adds TICKS of other threads to those during measures in N's self time.
void addInterrupted(const Node *N, uint64_t Ticks);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_MEASURED_H

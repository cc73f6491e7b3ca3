// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures nodes at their borders, driven by AtBorder and related functions;
// decides node by node, at run time, which ones (budget.h).

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_MEASURE_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_MEASURE_H

#include "base/thread_links.h"
#include "tree/extension.h"

namespace loopscope::runtime {

/// Which spans are measured.
enum class CpuMode : uint8_t {
  Auto, ///< those within the budget
  On,   ///< all
  Off
};
extern CpuMode CpuWanted;

/// At the start of the extension, and after a profile was made.
void registerMeasures();
void startMeasuring();
uint64_t measureNewPath(Node *N);
uint64_t measureBorder(Border What, Node *N, uint64_t Now);
uint64_t measureStepBorder(Node *Ended, Node *Next, uint64_t Now,
                           uint64_t &LookAt);
void lookThrough(Thread *T);
void resetMeasuring();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_MEASURE_H

// Measures nodes at their borders, as AtBorder and its neighbours ask; which
// ones is decided node by node while the program runs (budget.h).
#pragma once

#include "core/extension.h"

namespace loopscope::runtime {

/// Which spans are measured.
enum class CpuMode : uint8_t {
  Auto, ///< those that the budget allows
  On,   ///< all
  Off
};
extern CpuMode CpuWanted;

/// When the extension starts; and when a profile has been made.
void registerMeasures();
void startMeasuring();
uint64_t measureNewPath(Node *N);
uint64_t measureBorder(Border What, Node *N, uint64_t Now);
uint64_t measureStepBorder(Node *Ended, Node *Next, uint64_t Now,
                           uint64_t &LookAt);
void lookThrough(Thread *T);
void resetMeasuring();

} // namespace loopscope::runtime

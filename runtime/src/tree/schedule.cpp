// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warm-up and window.

#include "schedule.h"

using namespace loopscope::runtime;

constinit Schedule loopscope::runtime::StepSchedule;

namespace {
constinit uint32_t Gate = 0; // a StepGate
} // namespace

void loopscope::runtime::setStepGate(StepGate To) {
  __atomic_store_n(&Gate, static_cast<uint32_t>(To), __ATOMIC_RELAXED);
}

StepGate loopscope::runtime::stepGate() {
  return static_cast<StepGate>(__atomic_load_n(&Gate, __ATOMIC_RELAXED));
}

StepFate Schedule::fateOf(uint64_t Number, uint64_t Index,
                          uint64_t &Change) const {
  Change = UINT64_MAX;
  if (WindowActive != 0) {
    uint64_t Cycle = uint64_t(WindowWait) + WindowWarmup + WindowActive;
    uint64_t At = Number % Cycle;
    uint64_t First = Number - At;
    if (WindowRepeat != 0 && Number / Cycle >= WindowRepeat)
      return StepFate::Excluded;
    if (At < WindowWait) {
      Change = First + WindowWait;
      return StepFate::Excluded;
    }
    if (At < uint64_t(WindowWait) + WindowWarmup) {
      Change = First + WindowWait + WindowWarmup;
      return StepFate::Warmup;
    }
    Change = First + Cycle;
  }
  uint64_t Done = WarmupPerEpoch ? Index : Number;
  if (Done >= WarmupSteps)
    return StepFate::Counted;
  uint64_t End = Number + (WarmupSteps - Done);
  Change = End < Change ? End : Change;
  return StepFate::Warmup;
}

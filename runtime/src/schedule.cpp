// Warm-up and window.
#include "schedule.h"

using namespace loopscope::runtime;

StepFate Schedule::fateOf(uint64_t Number, uint64_t Index) const {
  if (WindowActive != 0) {
    uint64_t Cycle = uint64_t(WindowWait) + WindowWarmup + WindowActive;
    uint64_t At = Number % Cycle;
    if (At < WindowWait ||
        (WindowRepeat != 0 && Number / Cycle >= WindowRepeat))
      return StepFate::Excluded;
    if (At < uint64_t(WindowWait) + WindowWarmup)
      return StepFate::Warmup;
  }
  return (WarmupPerEpoch ? Index : Number) < WarmupSteps ? StepFate::Warmup
                                                         : StepFate::Counted;
}

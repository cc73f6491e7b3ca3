// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the core calls, and the word cpu=.

#include "extension.h"

#include "measure.h"

#include "process/options.h"

using namespace loopscope::runtime;

namespace {
bool parseCpu(char *Value, Options & /*Core*/, Text &Message) {
  constexpr const char *Names[] = {"auto", "on", "off"};
  uint32_t Mode = chooseValue(Value, Names, 3, "cpu", Message);
  if (Mode == 3)
    return false;
  CpuWanted = static_cast<CpuMode>(Mode);
  return true;
}

constexpr OptionWord Words[] = {{"cpu=auto|on|off", parseCpu}};
} // namespace

const Extension loopscope::runtime::CpuExtension = {
    .Name = "cpu",
    .CostKey = LOOPSCOPE_SUM_COST "cpu",
    .Words = Words,
    .Start = registerMeasures,
    .ProfileMade = startMeasuring,
    .NewCallPath = measureNewPath,
    .AtBorder = measureBorder,
    .AtStepBorder = measureStepBorder,
    .LookThrough = lookThrough,
    .ChildOfFork = resetMeasuring,
};

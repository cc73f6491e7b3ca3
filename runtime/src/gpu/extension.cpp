// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the core calls of GPU collection.
//
// CUDA that a program loads late is looked for where time is spent anyway: when
// the profile is made, at a new call path, in the background thread's rounds.

#include "extension.h"

#include "core/process.h"
#include "session.h"

using namespace loopscope::runtime;

GpuOptions loopscope::runtime::GpuSettings;

namespace {
bool parseGpu(char *Value, Options & /*Core*/, Text &Message) {
  static constexpr const char *Names[] = {"auto", "on", "off", "yield"};
  static constexpr GpuChoice Choices[] = {GpuChoice::Auto, GpuChoice::On,
                                          GpuChoice::Off, GpuChoice::Yield};
  uint32_t Chosen = chooseValue(Value, Names, 4, "gpu", Message);
  if (Chosen == 4)
    return false;
  GpuSettings.Collect = Choices[Chosen];
  return true;
}
constexpr OptionWord Words[] = {{"gpu=auto|on|off|yield", parseGpu}};

uint64_t lookAtNewPath(Node * /*Made*/) { return lookForCuda(); }

void lookBeforeProfile() { lookForCuda(); }

bool lookInRound() {
  lookForCuda();
  return true;
}

void stopGpu() {
  finishGpu();
  if (Process.Settings.Report == ReportTo::None)
    sayWhyNoGpu(); // else the report does
}
} // namespace

const Extension loopscope::runtime::GpuExtension = {
    .Name = "gpu",
    .CostKey = LOOPSCOPE_SUM_COST "gpu",
    .Words = Words,
    .Start = startGpu,
    .BeforeProfile = lookBeforeProfile,
    .DescribeProfile = describeGpu,
    .NewCallPath = lookAtNewPath,
    .Tick = lookInRound,
    .ChildOfFork = resetGpuAfterFork,
    .Stop = stopGpu,
};

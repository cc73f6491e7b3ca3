// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU collection's functions for the core.
//
// CUDA that a program loads late is detected at moments that take time anyway:
// when the profile is made, at a new call path, in the background thread's
// rounds.

#include "extension.h"

#include "session.h"
#include "session_state.h"

#include "base/system.h"
#include "process/facts.h"
#include "process/options.h"

#include <string.h>

using namespace loopscope::runtime;

GpuOptions loopscope::runtime::GpuSettings;

namespace {
bool parseGpu(char *Value, Options & /*Core*/, Text &Message) {
  // The last two aren't choices of them, but go with each.
  static constexpr const char *Names[] = {"auto",  "on",     "off",
                                          "yield", "graphs", "profiler"};
  static constexpr GpuChoice Choices[] = {GpuChoice::Auto, GpuChoice::On,
                                          GpuChoice::Off, GpuChoice::Yield};
  uint32_t Chosen = chooseValue(Value, Names, 6, "gpu", Message);
  if (Chosen < 4)
    GpuSettings.Collect = Choices[Chosen];
  else if (Chosen == 4)
    GpuSettings.WholeGraphs = true;
  else if (Chosen == 5)
    GpuSettings.StepsByProfiler = true;
  return Chosen < 6;
}
// Parses "off", or an interval in us or ms.
bool parseCounters(char *Value, Options & /*Core*/, Text &Message) {
  constexpr int64_t LeastNs = 100 * 1000;
  constexpr int64_t MostNs = 10 * 1000 * 1000;
  GpuSettings.CountersNs = 0;
  if (strcmp(Value, "off") == 0)
    return true;
  size_t Length = strlen(Value);
  int64_t Unit = 0;
  if (Length > 2 && strcmp(Value + Length - 2, "us") == 0)
    Unit = 1000;
  if (Length > 2 && strcmp(Value + Length - 2, "ms") == 0)
    Unit = 1000 * 1000;
  int64_t Interval = 0;
  if (Unit != 0)
    Value[Length - 2] = 0;
  if (Unit == 0 || !parseNumber(Value, Interval) || Interval > MostNs / Unit ||
      Interval * Unit < LeastNs) {
    Message << "LOOPSCOPE: 'gpu-counters' takes off, or the time between "
               "samples, 100us to 10ms, such as gpu-counters=500us";
    return false;
  }
  GpuSettings.CountersNs = static_cast<uint64_t>(Interval * Unit);
  return true;
}
constexpr OptionWord Words[] = {
    {"gpu=auto|on|off|yield|graphs|profiler", parseGpu},
    {"gpu-counters=off|TIME", parseCounters}};

uint64_t lookAtNewPath(Node * /*Made*/) { return lookForCuda(); }

void lookBeforeProfile() { lookForCuda(); }

bool lookInRound() {
  lookForCuda();
  return true;
}

void noteUse(const DeviceUse &Read) {
  GpuSession *S = __atomic_load_n(&Collecting, __ATOMIC_ACQUIRE);
  if (S != nullptr)
    S->Uses.push(Read);
}

void stopGpu() {
  finishGpu();
  if (Process.Settings.Report == ReportTo::None)
    sayWhyNoGpu(); // otherwise the report says it
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
    .LaunchBelongs = chargeCall,
    .DeviceUsed = noteUse,
    .ChildOfFork = resetGpuAfterFork,
    .Stop = stopGpu,
};

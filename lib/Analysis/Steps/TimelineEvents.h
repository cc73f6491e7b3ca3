// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile's timeline as events: what PyTorch's own trace would say of the
// same run. The overview computes on them and `export --to chrome` writes them,
// so steps, launches and roles are told apart in one place.
//
//   steps of training loops        -> steps
//   phases and functions           -> operators
//   all else on threads            -> annotations
//   CUDA calls, kernels, copies    -> runtime calls and device work, linked

#ifndef LOOPSCOPE_ANALYSIS_STEPS_TIMELINEEVENTS_H
#define LOOPSCOPE_ANALYSIS_STEPS_TIMELINEEVENTS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// Which steps are steps among the events; others are annotations.
enum class StepsAsEvents {
  All,
  /// Finished ones that aren't left out as a warm-up (NestedLoops.h).
  Counted
};

/// The events of P's timeline and of its device work. Host threads first, each
/// track's events together. Empty unless P was read with its timeline.
EventStream eventsOf(const Run &P, StepsAsEvents Which = StepsAsEvents::All);

/// The facts of a run's devices.
std::vector<DeviceProperties> deviceProperties(const Run &P);

/// The most memory that was in use on each device, by deviceNumber, in bytes:
/// of all processes where NVML was asked, else what the program allocated.
std::map<int64_t, int64_t> peakMemory(const Run &P);

/// How a device is told from the others: CUDA's ordinal, or its index where
/// profiles were merged.
int64_t deviceNumber(const Run &P, uint32_t Device);

/// Blocks per multiprocessor of a kernel; negative: unknown.
double blocksPerSm(const Run &P, const GpuEvent &E);

/// "Memcpy HtoD", "Memset": what device work is called in traces.
std::string deviceWorkName(const Run &P, const GpuEvent &E);

/// "kernel", "copy", "launch_call": kinds in csv and SQLite.
const char *gpuKindWord(loopscope_gpu_kind Kind);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_TIMELINEEVENTS_H

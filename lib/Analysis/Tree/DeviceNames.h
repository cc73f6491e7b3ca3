// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a profile's devices are told apart, what is known of them, and what their
// work is called.

#ifndef LOOPSCOPE_ANALYSIS_TREE_DEVICENAMES_H
#define LOOPSCOPE_ANALYSIS_TREE_DEVICENAMES_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// The facts of a run's devices.
std::vector<DeviceProperties> deviceProperties(const Run &R);

/// The most memory that was in use on each device, by deviceNumber, in bytes:
/// of all processes where NVML was asked, else what the program allocated.
std::map<int64_t, int64_t> peakMemory(const Run &R);

/// How a device is told from the others: CUDA's ordinal, or its index where
/// profiles were merged.
int64_t deviceNumber(const Run &R, uint32_t Device);

/// Blocks per multiprocessor of a kernel; negative: unknown.
double blocksPerSm(const Run &R, const GpuEvent &E);

/// "Memcpy HtoD", "Memset": what device work is called in traces.
std::string deviceWorkName(const Run &R, const GpuEvent &E);

/// "kernel", "copy", "launch_call": kinds in csv and SQLite.
const char *gpuKindWord(loopscope_gpu_kind Kind);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_DEVICENAMES_H

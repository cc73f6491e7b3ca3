// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the hardware of each GPU did, by call path: means over windows, and the
// energy of steps. What every view says about it comes from here.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_HARDWAREROWS_H
#define LOOPSCOPE_ANALYSIS_DEVICE_HARDWAREROWS_H

#include "Analysis/Tree/PathTree.h"
#include "Run/Model/Run.h"

#include <optional>
#include <vector>

namespace loopscope {

/// One thing measured, over some windows.
struct HardwareSum {
  uint64_t Windows = 0;
  int64_t Ns = 0;
  double Integral = 0; ///< of the value, over nanoseconds
  double Max = 0;      ///< of a window

  void add(const HardwareUse &U);
  void add(const HardwareSum &Other);
  /// Only if there are windows.
  double mean() const { return Integral / static_cast<double>(Ns); }
};

/// Everything measured of one GPU over the windows of one call path and those
/// below it.
struct HardwareRow {
  std::vector<HardwareSum> Sums; ///< as hardwareKinds()

  HardwareRow();
  void add(const HardwareRow &Other);
  const HardwareSum &of(HardwareId Id) const;
  /// The mean, if there are enough windows to say one.
  std::optional<double> mean(HardwareId Id) const;
  /// Of the source that has most.
  uint64_t windows() const;
  int64_t ns() const;
};

/// One GPU.
struct HardwareOfGpu {
  uint32_t Device = 0;            ///< in GpuData::Devices
  std::vector<HardwareRow> Paths; ///< as HardwareByPath::Tree
  HardwareRow Idle; ///< without work of the program; most are in paths, too
  HardwareRow Many; ///< work of threads in different phases
  HardwareRow All;
};

/// A run.
struct HardwareByPath {
  PathTree Tree;                              ///< of all threads
  std::vector<std::vector<uint32_t>> NodesOf; ///< of the run, by path
  std::vector<HardwareOfGpu> Gpus;            ///< those with figures
};

/// Whether the windows of such call paths are all of their time, idle or not;
/// those of others are filled by their work.
bool holdsIdleTime(loopscope_kind Kind);

/// All GPUs of \p All as one.
HardwareOfGpu gpusTogether(const HardwareByPath &All);

/// Sums up a run's figures. \p Gpu is the run's.
HardwareByPath hardwareByPath(const Run &R, const GpuByNode &Gpu);

/// Nanoseconds between the samples of CUPTI's PM sampling of a GPU; 0: NVML
/// read all.
uint64_t sampledEvery(const Run &R, const HardwareOfGpu &Of);
/// Whether PM sampling (gpu-counters=) may work for GPUs like this run's: a
/// CUPTI of CUDA 12.6 or later, GPUs with its trigger by time, no refusal.
bool mayBeSampled(const Run &R);

/// A mean of fewer windows says little.
inline constexpr uint64_t FewestWindows = 5;

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_HARDWAREROWS_H

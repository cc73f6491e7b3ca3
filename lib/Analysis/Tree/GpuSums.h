// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU side of rows: what call paths launched, how long the host took over
// it and waited for it, and how long devices were busy with it.

#ifndef LOOPSCOPE_ANALYSIS_TREE_GPUSUMS_H
#define LOOPSCOPE_ANALYSIS_TREE_GPUSUMS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// GPU figures of one call path or several.
struct GpuSums {
  GpuCalls Calls;
  uint64_t Kernels = 0;
  uint64_t Copies = 0;      ///< and sets
  int64_t WorkNs = 0;       ///< durations of all work, overlap counted twice
  int64_t KernelNs = 0;     ///< of it, kernels
  int64_t IdleNs = 0;       ///< devices waited with nothing to do for this work
  uint64_t Allocations = 0; ///< of any kind of memory
  /// The most of a device's memory that the program held when one of these call
  /// paths allocated; 0 if none did.
  uint64_t MemoryPeak = 0;
  /// The profile's overlaps that include one of these call paths: index * 2, +
  /// 1 if one of their kernels ran. May contain duplicates.
  std::vector<uint32_t> Overlaps;
  /// By device of the profile: the sum of the call paths' unions, for devices
  /// without recorded overlaps.
  std::vector<int64_t> UnionNs;
  std::vector<int64_t> KernelUnionNs; ///< the same, kernels only

  void add(const GpuSums &Other);
  bool isEmpty() const;

private:
  size_t OverlapsOnce = 0; // how many there were after the last sorting
};

/// A profile's GPU figures by call path.
class GpuByNode {
public:
  explicit GpuByNode(const Run &R);

  /// Whether the profile has GPU data at all; if not, everything is empty.
  bool hasData() const { return !Own.empty(); }

  /// What node \p Node itself launched.
  const GpuSums &own(uint32_t Node) const;

  /// What it and everything below it launched.
  const GpuSums &inclusive(uint32_t Node) const;

  /// Whether allocations are known.
  bool hasMemory() const { return !R.Gpu.Memory.empty(); }

  /// Work whose launch is unknown.
  const GpuSums &unlaunched() const { return Unlaunched; }

  /// How long devices were busy with the work in \p Sums, summed over devices:
  /// its union on each. If isExact() is false, unions over several call paths
  /// weren't recorded: the sum of the paths' own unions, capped at the device's
  /// busy time, is at most overlapNs() too high.
  int64_t busyNs(const GpuSums &Sums) const;

  /// The same for its kernels only; never more than busyNs().
  int64_t kernelNs(const GpuSums &Sums) const;

  /// By how much the call paths' unions, added up, exceed the devices' own.
  int64_t overlapNs() const { return Overlap; }

  /// Whether unions over several call paths are recorded on every device; older
  /// profile versions have none.
  bool isExact() const { return Exact; }

  /// By how much busyNs() may be too low: the time with more call paths, or
  /// more combinations of them, than a profile keeps apart.
  int64_t unsureNs() const { return Unsure; }

private:
  void addOverlaps();
  int64_t unionOf(const GpuSums &Sums, bool KernelsAlone) const;

  const Run &R;
  std::vector<bool> HasOverlaps; // by device
  std::vector<GpuSums> Own;
  std::vector<GpuSums> Inclusive;
  GpuSums Unlaunched;
  GpuSums Nothing;
  int64_t Overlap = 0;
  int64_t Unsure = 0;
  bool Exact = true;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_GPUSUMS_H

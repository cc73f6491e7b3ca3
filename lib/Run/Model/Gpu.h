// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profile knows about GPUs: plain values, checked, in nanoseconds. Part
// of the model (Run.h), filled by readGpu.
//
// Device work is charged to the call path that launched it. The union of the
// work of any set of call paths is the sum of the overlaps that include one of
// them. Profiles of older versions have no overlaps: they only have unions per
// call path and device, and those of several paths may overlap.
//
// The union of all work of one name is known per device and per call path;
// Analysis/Tree/WorkUnions.h computes that of rows.

#ifndef LOOPSCOPE_RUN_MODEL_GPU_H
#define LOOPSCOPE_RUN_MODEL_GPU_H

#include "Run/Model/HardwareUse.h"

#include <loopscope/profile_format.h>

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// Host time in CUDA calls made while a call path was innermost.
struct GpuCalls {
  uint64_t Launches = 0; ///< calls that put work on a device
  int64_t LaunchNs = 0;
  uint64_t Waits = 0; ///< calls that wait for a device
  int64_t WaitNs = 0;
  uint64_t Others = 0;
  int64_t OtherNs = 0;
};

/// A device, and the unions over all its work. Negative: not known.
struct GpuDevice {
  uint32_t Id = 0;     ///< CUDA's ordinal
  std::string Process; ///< in a merged profile: "rank 3"; else empty
  std::string Name;
  int ComputeMajor = -1;
  int ComputeMinor = -1;
  int Multiprocessors = -1;
  int MaxWarps = -1; ///< per multiprocessor
  int64_t TotalMemory = -1;
  uint64_t MemoryBytesPerSecond = 0; ///< theoretical most; 0: not known
  int64_t StartNs = -1; ///< of its first work, since the run's start
  int64_t EndNs = -1;   ///< of its last work
  int64_t BusyNs = 0;   ///< union of all work
  int64_t KernelNs = 0; ///< union of kernels
  int64_t CopyNs = 0;   ///< union of copies and memsets
  /// How much of the device's own memory the program held, in bytes: at its
  /// peak and at the end; and the call path whose allocation made the peak.
  uint64_t MemoryPeak = 0;
  uint64_t MemoryNow = 0;
  uint32_t MemoryPeakNode = LOOPSCOPE_NONE;
  /// Integral of min(concurrent blocks per SM, 1).
  double MultiprocessorNs = 0;

  /// From the first work's start to the last's end; 0 without work.
  int64_t spanNs() const { return EndNs > StartNs ? EndNs - StartNs : 0; }
};

/// Identifies device work, whoever launched it.
struct GpuWorkName {
  uint32_t Device = 0;                ///< in GpuData::Devices
  uint32_t Function = LOOPSCOPE_NONE; ///< in GpuData::Functions; kernels
  loopscope_gpu_kind Kind = LOOPSCOPE_GPU_KERNEL;
  loopscope_gpu_direction Direction = LOOPSCOPE_GPU_NO_DIRECTION;

  friend auto operator<=>(const GpuWorkName &, const GpuWorkName &) = default;
};

/// Whether a kernel of this name stands for all kernels of a CUDA graph's
/// launch.
inline bool isWholeGraph(std::string_view Kernel) {
  return Kernel == LOOPSCOPE_GPU_WHOLE_GRAPH;
}

/// All work of one kind that one call path enqueued on one device.
struct GpuWork {
  uint32_t Node = LOOPSCOPE_NONE;     ///< NONE: launch unknown
  uint32_t MadeIn = LOOPSCOPE_NONE;   ///< of graphs' work: see GpuEvent
  uint32_t Function = LOOPSCOPE_NONE; ///< in GpuData::Functions; kernels
  uint32_t Device = 0;                ///< in GpuData::Devices
  loopscope_gpu_kind Kind = LOOPSCOPE_GPU_KERNEL;
  loopscope_gpu_direction Direction = LOOPSCOPE_GPU_NO_DIRECTION;
  uint64_t Count = 0;
  uint64_t NoTime = 0; ///< of Count: without time stamps, in no time below
  int64_t SumNs = 0;
  int64_t MinNs = 0; ///< 0 if no work has times
  int64_t MaxNs = 0;
  uint64_t Bytes = 0;
  uint64_t GraphCount = 0;  ///< of Count: through a CUDA graph
  uint64_t Shorter = 0;     ///< of Count: took less than the launching call
  int64_t QueueNs = 0;      ///< sum from the launching call's end to the start
  double BlocksPerSmNs = 0; ///< sum of blocks per SM x duration
  double OccupancyNs = 0;   ///< sum of occupancy (0..1) x duration
  double OccupancyKnownNs = 0; ///< time of kernels with a known occupancy
  int64_t BusyNs = -1;         ///< union of its times; negative: unknown
  bool Communicates = false;   ///< NCCL's kernels

  GpuWorkName name() const { return {Device, Function, Kind, Direction}; }
};

/// The union of all work of one name on one device.
struct GpuSameWork {
  GpuWorkName Name;
  int64_t BusyNs = 0;
};

/// Unions over the work of one call path on one device.
struct GpuNode {
  uint32_t Node = 0;
  uint32_t Device = 0; ///< in GpuData::Devices
  int64_t BusyNs = 0;
  int64_t KernelNs = 0;
  int64_t IdleNs = 0; ///< the device had nothing to do until this work came
};

/// For how long a device ran work of exactly these call paths at once.
struct GpuOverlap {
  struct Member {
    uint32_t Node = LOOPSCOPE_NONE; ///< NONE: launch unknown
    bool HasKernels = false;        ///< else copies and memsets alone
  };
  uint32_t Device = 0; ///< in GpuData::Devices
  int64_t Ns = 0;
  bool HasMore = false; ///< work of other call paths ran, too
  std::vector<Member> Members;
};

/// Allocations and frees of one kind of memory by one call path.
struct GpuMemory {
  uint32_t Node = LOOPSCOPE_NONE; ///< NONE: the call is unknown
  uint32_t Device = 0;            ///< in GpuData::Devices; NONE: pinned memory
  loopscope_gpu_memory_kind Kind = LOOPSCOPE_GPU_OTHER_MEMORY;
  uint64_t Allocations = 0;
  uint64_t AllocatedBytes = 0;
  uint64_t Frees = 0;
  uint64_t FreedBytes = 0;
  /// The most of this kind that the program held on the device when it made one
  /// of these allocations.
  uint64_t PeakBytes = 0;
  /// What it held of them when it held most of the device's own memory.
  uint64_t HeldAtPeak = 0;
};

/// Host time that a call path waited while another path's work ran.
struct GpuWait {
  uint32_t Waiter = 0;              ///< node
  uint32_t Worker = LOOPSCOPE_NONE; ///< node; NONE: nothing ran
  int64_t Ns = 0;
};

/// A piece of device work, or a call, in the GPU timeline.
struct GpuEvent {
  int64_t StartNs = 0; ///< since the run's start
  int64_t EndNs = 0;
  loopscope_gpu_kind Kind = LOOPSCOPE_GPU_KERNEL;
  loopscope_gpu_direction Direction = LOOPSCOPE_GPU_NO_DIRECTION;
  uint32_t Node = LOOPSCOPE_NONE;
  uint32_t Function = LOOPSCOPE_NONE; ///< in GpuData::Functions
  uint32_t Device = LOOPSCOPE_NONE;   ///< in GpuData::Devices; calls: NONE
  uint32_t Context = 0;
  uint32_t Stream = 0;
  uint32_t Correlation = 0;
  uint32_t Thread = LOOPSCOPE_NONE; ///< calls: in Run::Threads
  bool WaitsForDevice = false;      ///< calls: for all of its work
  int64_t Tid = 0;                  ///< calls: the kernel's thread id
  std::array<uint32_t, 3> Grid{};   ///< all 0: unknown
  std::array<uint32_t, 3> Block{};
  uint32_t Registers = 0; ///< per thread
  uint32_t StaticShared = 0;
  uint32_t DynamicShared = 0;
  uint32_t Graph = 0;
  uint64_t GraphNode = 0;
  /// For the work of a graph: the call path in which the graph's node was made;
  /// NONE if it isn't known.
  uint32_t MadeIn = LOOPSCOPE_NONE;
  uint32_t Callback = 0; ///< calls: CUPTI's id, without its domain; 0: unknown
  uint64_t Bytes = 0;
  double Occupancy = -1; ///< 0..1; negative: unknown

  bool isDeviceWork() const {
    return Kind == LOOPSCOPE_GPU_KERNEL || Kind == LOOPSCOPE_GPU_COPY ||
           Kind == LOOPSCOPE_GPU_SET;
  }
};

/// A run's GPU side; empty where State is LOOPSCOPE_GPU_UNUSED.
struct GpuData {
  loopscope_gpu_state State = LOOPSCOPE_GPU_UNUSED;
  std::string Note;    ///< why data is missing or incomplete; empty: it isn't
  std::string Library; ///< path of CUPTI
  uint32_t CuptiVersion = 0;
  int64_t StartNs = 0;   ///< where collection began, since the run's start
  int64_t EndNs = -1;    ///< where collection stopped; -1: it did not
  uint64_t Launches = 0; ///< calls that put work on a device
  uint64_t Records = 0;  ///< of device work, received
  int64_t CostNs = 0;    ///< in our callbacks, on host threads
  /// CUPTI's own: buffer flushes, instrumentation, resources, other.
  std::array<int64_t, 4> OverheadNs{};

  std::vector<GpuDevice> Devices;
  std::vector<std::string> Functions; ///< kernels mangled; and CUDA calls
  std::vector<GpuWork> Work;
  /// Only for names whose work is all in Work.
  std::vector<GpuSameWork> SameWork;
  std::vector<GpuNode> Nodes;
  std::vector<GpuOverlap> Overlaps;
  std::vector<GpuWait> Waits;
  std::vector<GpuMemory> Memory;
  std::vector<HardwareUse> Uses;
  /// By start. Only if asked for; empty unless LOOPSCOPE=trace.
  std::vector<GpuEvent> Events;
  bool EventsAreCut = false; ///< older ones are there, and weren't read

  /// Whether any device work or CUDA call was recorded.
  bool hasData() const {
    return !Work.empty() || !Memory.empty() || Launches != 0;
  }
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_GPU_H

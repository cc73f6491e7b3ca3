// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A piece of device work, independent of CUPTI's records.

#ifndef LOOPSCOPE_GPU_WORK_H
#define LOOPSCOPE_GPU_WORK_H

#include <loopscope/profile_format.h>

#include <stdint.h>

namespace loopscope::runtime {

struct DeviceWork {
  loopscope_gpu_kind Kind = LOOPSCOPE_GPU_KERNEL; ///< KERNEL, COPY or SET
  loopscope_gpu_direction Direction = LOOPSCOPE_GPU_NO_DIRECTION;
  uint64_t Start = 0; ///< ticks; Start and End are 0 if unknown
  uint64_t End = 0;
  uint32_t Device = 0;
  uint32_t Context = 0;
  uint32_t Stream = 0;
  uint32_t Correlation = 0; ///< of the call that launched it; 0: unknown
  uint32_t Graph = 0;       ///< 0: not launched by a graph
  uint64_t GraphNode = 0;
  uint64_t Bytes = 0;
  // Kernels only.
  const char *Name = nullptr; ///< mangled; may be invalid, see KernelNames
  uint32_t Grid[3] = {};
  uint32_t Block[3] = {};
  uint32_t Registers = 0; ///< per thread
  uint32_t StaticShared = 0;
  uint32_t DynamicShared = 0;

  uint64_t blocks() const {
    return uint64_t(Grid[0]) * Grid[1] * uint64_t(Grid[2]);
  }
  uint64_t threadsPerBlock() const {
    return uint64_t(Block[0]) * Block[1] * uint64_t(Block[2]);
  }
};

/// An allocation or a release of memory.
struct MemoryOperation {
  loopscope_gpu_memory_kind Kind = LOOPSCOPE_GPU_OTHER_MEMORY;
  bool Frees = false;
  uint32_t Device = 0;
  uint32_t Context = 0;
  uint32_t Correlation = 0; ///< of the call; 0: unknown
  uint64_t Start = 0;       ///< ticks; 0: unknown
  uint64_t Address = 0;
  uint64_t Bytes = 0;
  uint64_t Pool = 0;       ///< address of its memory pool; 0: none, or unknown
  uint64_t PoolUnused = 0; ///< bytes that the pool keeps for what comes
};

/// CUPTI's facts about a device; see loopscope_gpu_device.
struct DeviceFacts {
  uint32_t Id = 0;
  bool IsVisible = true; ///< to the program
  const char *Name = "";
  int32_t ComputeMajor = -1;
  int32_t ComputeMinor = -1;
  int32_t Multiprocessors = -1;
  int32_t MaxWarps = -1; ///< per multiprocessor, like the next three
  int32_t MaxBlocks = -1;
  int32_t MaxRegisters = -1;
  int64_t MaxShared = -1;
  int64_t TotalMemory = -1;
  uint64_t MemoryBytesPerSecond = 0;
};

/// Blocks of the kernel per multiprocessor of the device; negative if the
/// device is unknown.
double blocksPerMultiprocessor(const DeviceWork &Kernel,
                               const loopscope_gpu_device &Device);

/// The share of the device's warp slots that the kernel can fill, 0 to 1, from
/// its grid and the needs of its blocks; negative if unknown.
double estimatedOccupancy(const DeviceWork &Kernel,
                          const loopscope_gpu_device &Device);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_WORK_H

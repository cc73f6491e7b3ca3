// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates how well a kernel can fill a device, from its launch and the
// device's limits.

#include "work.h"

using namespace loopscope::runtime;

namespace {
constexpr uint64_t WarpSize = 32;

uint64_t roundUp(uint64_t Value, uint64_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

uint64_t least(uint64_t A, uint64_t B) { return A < B ? A : B; }

// Number of blocks that fit on a multiprocessor at once. All limits are known.
uint64_t residentBlocks(const DeviceWork &K, const loopscope_gpu_device &D,
                        uint64_t Warps) {
  uint64_t Blocks = least(uint64_t(D.max_blocks_per_multiprocessor),
                          uint64_t(D.max_warps_per_multiprocessor) / Warps);
  if (K.Registers != 0) {
    // Registers are allocated to warps in units of 256, and to blocks in units
    // of four warps (one for each scheduler).
    uint64_t ForWarp = roundUp(K.Registers * WarpSize, 256);
    uint64_t Fit =
        uint64_t(D.max_registers_per_multiprocessor) / ForWarp / 4 * 4;
    Blocks = least(Blocks, Fit / Warps);
  }
  // Since compute capability 8, the system reserves 1 KiB of each block's
  // shared memory.
  bool KeepsShared = D.compute_major >= 8;
  uint64_t Shared = uint64_t(K.StaticShared) + K.DynamicShared;
  Shared = roundUp(Shared + (KeepsShared ? 1024 : 0), KeepsShared ? 128 : 256);
  if (Shared != 0 && D.max_shared_per_multiprocessor > 0)
    Blocks = least(Blocks, uint64_t(D.max_shared_per_multiprocessor) / Shared);
  return Blocks;
}
} // namespace

double
loopscope::runtime::blocksPerMultiprocessor(const DeviceWork &Kernel,
                                            const loopscope_gpu_device &D) {
  if (D.multiprocessors <= 0 || Kernel.blocks() == 0)
    return -1;
  return static_cast<double>(Kernel.blocks()) / D.multiprocessors;
}

double loopscope::runtime::estimatedOccupancy(const DeviceWork &Kernel,
                                              const loopscope_gpu_device &D) {
  double Wanted = blocksPerMultiprocessor(Kernel, D);
  uint64_t Warps = roundUp(Kernel.threadsPerBlock(), WarpSize) / WarpSize;
  if (Wanted < 0 || Warps == 0 || D.max_warps_per_multiprocessor <= 0 ||
      D.max_blocks_per_multiprocessor <= 0 ||
      D.max_registers_per_multiprocessor <= 0)
    return -1;
  auto Resident = static_cast<double>(residentBlocks(Kernel, D, Warps));
  // It ran, so at least one block fits, whatever the estimate.
  if (Resident < 1)
    Resident = 1;
  double Blocks = Wanted < Resident ? Wanted : Resident;
  double Share =
      Blocks * static_cast<double>(Warps) / D.max_warps_per_multiprocessor;
  return Share < 1 ? Share : 1;
}

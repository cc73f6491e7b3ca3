// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a device kernels fill, on hand-written records.

#include "GpuFixture.h"

using namespace loopscope::runtime;

namespace {
TEST_F(GpuTest, OccupancyFollowsTheLaunchAndTheDevice) {
  DeviceFacts Facts;
  Facts.Name = "Ten";
  Facts.ComputeMajor = 9;
  Facts.ComputeMinor = 0;
  Facts.Multiprocessors = 10;
  Facts.MaxWarps = 64;
  Facts.MaxBlocks = 32;
  Facts.MaxRegisters = 65536;
  Facts.MaxShared = 228 * 1024;
  Adding->addDevice(Facts);
  call(1, A);
  // Ten blocks of two warps, one for each multiprocessor.
  add(kernel(1, 2000, 2100));
  settle();
  EXPECT_DOUBLE_EQ(workOf(A).blocks_per_sm_ticks, 100.0);
  EXPECT_NEAR(workOf(A).occupancy_ticks, 100.0 * 2 / 64, 1e-4);
  EXPECT_DOUBLE_EQ(workOf(A).occupancy_known_ticks, 100.0);
  EXPECT_DOUBLE_EQ(device().multiprocessor_ticks, 100.0);

  loopscope_gpu_device Device = device();
  DeviceWork Full = kernel(1, 0, 0);
  Full.Grid[0] = 10000;
  EXPECT_DOUBLE_EQ(estimatedOccupancy(Full, Device), 1.0); // 32 blocks
  Full.Block[0] = 1024;
  EXPECT_DOUBLE_EQ(estimatedOccupancy(Full, Device), 1.0); // 2 blocks
  Full.Registers = 64; // 2048 per warp, 32 warps fit: one block
  EXPECT_DOUBLE_EQ(estimatedOccupancy(Full, Device), 0.5);
  // 2560 per warp: 25 warps fit, six for each scheduler: 4 blocks of 5.
  Full.Registers = 79;
  Full.Block[0] = 160;
  EXPECT_DOUBLE_EQ(estimatedOccupancy(Full, Device), 20.0 / 64);
  Full.Registers = 0;
  Full.Block[0] = 128;
  Full.DynamicShared = 100 * 1024; // above the default limit: two blocks
  EXPECT_DOUBLE_EQ(estimatedOccupancy(Full, Device), 8.0 / 64);
  Full.DynamicShared = 1024 * 1024; // impossible, and yet it ran
  EXPECT_DOUBLE_EQ(estimatedOccupancy(Full, Device), 4.0 / 64);
  Device.multiprocessors = -1;
  EXPECT_LT(estimatedOccupancy(Full, Device), 0);
}

TEST_F(GpuTest, SmallKernelsAtOnceFillTheDeviceTogether) {
  DeviceFacts Facts;
  Facts.Multiprocessors = 100;
  Adding->addDevice(Facts);
  call(1, A);
  DeviceWork Forty = kernel(1, 2000, 2100);
  Forty.Grid[0] = 40;
  add(Forty);
  Forty.Start = 2050;
  Forty.End = 2150;
  add(Forty);
  Forty.Start = 2090;
  Forty.End = 2095; // 120 blocks: more than fit
  add(Forty);
  settle();
  EXPECT_NEAR(device().multiprocessor_ticks,
              50 * 0.4 + 45 * 0.8 + 5 * 1.0 + 50 * 0.4, 1e-4);
}

// On a busy machine the facts may come after the device's first work is
// counted.
TEST_F(GpuTest, ADeviceDescribedLateIsFilledAsMuch) {
  call(1, A);
  DeviceWork Each = kernel(1, 2000, 2100);
  for (uint32_t Blocks : {40, 300, 40, 7}) {
    Each.Grid[0] = Blocks;
    add(Each);
    Each.Start += 50;
    Each.End += 50;
  }
  settle(2150);
  EXPECT_DOUBLE_EQ(device().multiprocessor_ticks, 0.0);
  DeviceFacts Facts;
  Facts.Multiprocessors = 100;
  Adding->addDevice(Facts);
  double Counted = 50 * 0.4 + 100 * 1.0;
  EXPECT_NEAR(device().multiprocessor_ticks, Counted, 1e-9);
  Adding->addDevice(Facts); // once
  EXPECT_NEAR(device().multiprocessor_ticks, Counted, 1e-9);
  settle();
  EXPECT_NEAR(device().multiprocessor_ticks, Counted + 50 * 0.47 + 50 * 0.07,
              1e-9);
}
} // namespace

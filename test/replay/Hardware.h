// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the simulated devices' hardware does, as integrals over time: a kernel
// uses multiprocessors, tensor cores and memory as the scenario says, a copy
// PCIe as fast as it is.

#ifndef LOOPSCOPE_TEST_REPLAY_HARDWARE_H
#define LOOPSCOPE_TEST_REPLAY_HARDWARE_H

#include "Device.h"

namespace replay {

/// Percentages; bytes per second.
struct HardwareRates {
  double Sm = 0, Tensor = 0, Dram = 0, ToDevice = 0, FromDevice = 0;
};

/// D has been put on its device: nothing put later runs before the present.
void noteHardware(const Done &D);

/// The means between two times of the past, in ns of CUPTI's clock.
HardwareRates hardwareBetween(uint32_t Device, uint64_t Start, uint64_t End);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_HARDWARE_H

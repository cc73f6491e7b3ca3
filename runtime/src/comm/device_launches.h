// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of NCCL's kernels, as GPU collection tells of them on the launching
// thread, right before each. The time on the device comes later, on a thread of
// the runtime (on_device.h).

#ifndef LOOPSCOPE_COMM_DEVICE_LAUNCHES_H
#define LOOPSCOPE_COMM_DEVICE_LAUNCHES_H

#include <stdint.h>

namespace loopscope::runtime {

/// WantsKernel and KernelLaunched of Extension: whether NAME, mangled or not,
/// is a kernel of NCCL; and that the calling thread is about to launch one.
bool isCommunicationKernel(const char *Name);
void noteCommunication(uint32_t Correlation);

/// The launch that the calling thread noted last; 0 if none since the previous
/// call.
uint32_t takeCommunication();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_DEVICE_LAUNCHES_H

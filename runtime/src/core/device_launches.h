// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What GPU collection says about launches of communication, and what others
// tell it. Whoever knows what was launched learns it on the launching thread,
// just after the launch; when the device did it comes later, on a thread of
// ours (Extension::CommunicationRan).

#ifndef LOOPSCOPE_CORE_DEVICE_LAUNCHES_H
#define LOOPSCOPE_CORE_DEVICE_LAUNCHES_H

#include <stdint.h>

namespace loopscope::runtime {

/// Whether a kernel with this name, mangled or not, is a communication
/// library's (NCCL's).
bool isCommunicationKernel(const char *Name);

/// The calling thread is about to launch such a kernel. CORRELATION is never 0.
void noteCommunication(uint32_t Correlation);

/// The launch that the calling thread noted last; 0: none since the last call.
uint32_t takeCommunication();

/// Charges what a launch puts on a device to another node of the thread that
/// made it. What has been charged already stays where it is.
void chargeLaunch(uint32_t Correlation, uint32_t Node);

/// GPU collection's part of that; null: it doesn't collect.
using LaunchCharger = void (*)(uint32_t Correlation, uint32_t Node);
void setLaunchCharger(LaunchCharger Charger);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_DEVICE_LAUNCHES_H

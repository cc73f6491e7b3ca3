// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange about launches of communication kernels between GPU collection and
// the extensions that know what was launched. Those hear of a launch on the
// launching thread, right after it, and of the time on the device later, on a
// thread of the runtime (Extension::CommunicationRan).

#ifndef LOOPSCOPE_CORE_DEVICE_LAUNCHES_H
#define LOOPSCOPE_CORE_DEVICE_LAUNCHES_H

#include <stdint.h>

namespace loopscope::runtime {

/// Whether NAME, mangled or not, is a kernel of a communication library (NCCL).
bool isCommunicationKernel(const char *Name);

/// Notes that the calling thread is about to launch such a kernel. CORRELATION
/// is never 0.
void noteCommunication(uint32_t Correlation);

/// The launch that the calling thread noted last; 0 if none since the previous
/// call.
uint32_t takeCommunication();

/// Charges the device work of a launch to another node of the thread that made
/// it. Work that is already charged stays where it is.
void chargeLaunch(uint32_t Correlation, uint32_t Node);

/// How GPU collection does that; null while it doesn't collect.
using LaunchCharger = void (*)(uint32_t Correlation, uint32_t Node);
void setLaunchCharger(LaunchCharger Charger);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_DEVICE_LAUNCHES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classifies CUDA calls by their names.

#ifndef LOOPSCOPE_GPU_CALLS_H
#define LOOPSCOPE_GPU_CALLS_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

enum class CallClass : uint8_t {
  Ignored, ///< cheap and frequent: reads or sets host state
  Launch,  ///< puts work on a device and returns
  Wait,    ///< returns when a device's work has ended
  Other
};

/// The records of device work to expect from a call.
enum class RecordsOfCall : uint8_t {
  None, ///< none that is certain to come
  One,
  Kernel,  ///< one, for the kernel that the call names
  Several, ///< at least one: for a graph's nodes
  Never    ///< none, nor one of memory: it needs no place among the launches
};

/// The class of a call, from its name in CUPTI, such as
/// "cudaLaunchKernel_v7000".
CallClass classifyCall(const char *Name);

/// The records of a call of this class and name.
RecordsOfCall recordsOfCall(CallClass Class, const char *Name);

/// Whether a call of CUDA's runtime only checks its arguments and makes
/// one call of the driver, which has the same class, records and id: then the
/// driver's call is enough to follow, at half the cost.
bool isOneDriverCall(const char *Name);

/// What a call begins or ends: a stream's capture, or the window of
/// cudaProfilerStart(); or that what it asks for has no record.
enum class BorderOfCall : uint8_t {
  None,
  CaptureBegins,
  CaptureEnds,
  WindowOpens,
  WindowCloses,
  HasNoRecord
};
BorderOfCall borderOfCall(const char *Name);

/// Counts a call that is HasNoRecord, by its NAME.
void countUnrecorded(const char *Name);

/// Registers what countUnrecorded() counts in.
void registerLossesOfCalls();

/// The length of a call's name without CUPTI's suffix: "_v7000", "_ptsz".
size_t plainNameLength(const char *Name);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_CALLS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's activity records as plain values.

#ifndef LOOPSCOPE_GPU_RECORDS_H
#define LOOPSCOPE_GPU_RECORDS_H

#include "cupti_abi.h"
#include "device_clock.h"
#include "work.h"

namespace loopscope::runtime {

/// The device work in RECORD; false if the record is of another kind. The
/// kernel's name points into CUPTI's memory.
bool readWork(const cupti::Record &Record, const DeviceClock &Clock,
              DeviceWork &Result);

/// The operation in a record of kind MemoryKind; false if it is neither an
/// allocation nor a free.
bool readMemory(const cupti::MemoryRecord &Record, const DeviceClock &Clock,
                MemoryOperation &Result);

/// The facts in a record of kind DeviceKind; its name points into CUPTI's
/// memory.
DeviceFacts readDevice(const cupti::DeviceRecord &Record);

/// For a cause in an overhead record: the index of its sum in the header's
/// gpu_overhead_ticks.
unsigned overheadSum(uint32_t Cause);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_RECORDS_H

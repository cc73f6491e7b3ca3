// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that run on a device: the launch tells which they are, their
// duration is known when the record of their kernel arrives.
//
//   awaitTime      an operation and its launch, on the launching thread
//   giveTime       the launch's kernel, on the collector's thread
//                  -> sums per node, instances of the ring

#ifndef LOOPSCOPE_COMM_ON_DEVICE_H
#define LOOPSCOPE_COMM_ON_DEVICE_H

#include <stdint.h>

namespace loopscope::runtime {

/// An operation of a node.
struct DeviceOperation {
  uint32_t Node;
  bool IsCompared; ///< all ranks wait for each other in it
  uint64_t Number; ///< in its communicator; the same on all ranks
  uint64_t Bytes;
  uint64_t Step;  ///< of its launch; see stepOf()
  uint32_t Ranks; ///< in the communicator; 0: unknown
  uint32_t Rank;
};

/// Registers the sum.
void registerDeviceTimes();

/// Operation WHAT is part of the kernel launched as LAUNCH.
void awaitTime(uint32_t Launch, const DeviceOperation &What);

/// The kernel of LAUNCH ran from START to END, in ticks. Call on a thread of
/// the runtime.
void giveTime(uint32_t Launch, uint64_t Start, uint64_t End);

/// For a forked child, which awaits nothing.
void resetDeviceTimes();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_ON_DEVICE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that a device does: what they are is known when they are put
// there, and how long they took when the record of their kernel comes.
//
//   awaitTime      an operation and its launch, on the launching thread
//   giveTime       the launch's kernel, on the collector's thread
//                  -> sums per node, instances of the ring

#ifndef LOOPSCOPE_COMM_ON_DEVICE_H
#define LOOPSCOPE_COMM_ON_DEVICE_H

#include "core/tree.h"

namespace loopscope::runtime {

/// An operation of a node.
struct DeviceOperation {
  uint32_t Node;
  bool IsCompared; ///< all ranks wait for each other
  uint64_t Number; ///< in its communicator: the same in all ranks
  uint64_t Bytes;
  uint64_t Step;  ///< in which it was launched, as stepOf() has it
  uint32_t Ranks; ///< of the communicator; 0: not known
  uint32_t Rank;
};

/// Registers the sum.
void registerDeviceTimes();

/// Operation WHAT is a part of the kernel that was launched as LAUNCH.
void awaitTime(uint32_t Launch, const DeviceOperation &What);

/// The kernel of LAUNCH ran from START to END, ticks. On a thread of ours.
void giveTime(uint32_t Launch, uint64_t Start, uint64_t End);

/// For a forked child: nothing is awaited.
void resetDeviceTimes();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_ON_DEVICE_H

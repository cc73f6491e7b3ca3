// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of collectives, in a bounded ring of the profile
// (loopscope_collective) that keeps the newest.

#ifndef LOOPSCOPE_COMM_COLLECTIVES_H
#define LOOPSCOPE_COMM_COLLECTIVES_H

#include "on_device.h"

#include "base/thread_links.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// LOOPSCOPE=mpi=auto: MPI calls are recorded.
extern bool MpiWanted;
/// LOOPSCOPE=gloo=auto: so are LibTorch's operations with Gloo.
extern bool GlooWanted;

/// Adds BYTES that a span of N moved to the node's sum.
void addBytes(const Node *N, uint64_t Bytes);

/// Registers the counters and the sum.
void registerCollectives();

/// Turns on recording for the spans of a COLLECTIVE.
uint64_t chooseCollective(Node *N);

/// The open span of N moves BYTES, if it is a COLLECTIVE. A negative number is
/// taken as 0 and counted.
void setBytes(Node *N, int64_t Bytes);
/// A collective of SITE isn't recorded; those after it have the numbers that
/// they have on ranks that record it.
void skipCollective(const loopscope_site *Site);

/// beginCollective: sums up what the thread has done since its last collective,
/// before the span begins. endCollective: records the finished span. Both
/// return the ticks that they took.
uint64_t beginCollective(Node *N, uint64_t Now);
uint64_t endCollective(Node *N, uint64_t Now);

/// Records COUNT operations that a device ran in one kernel, from START to END.
/// ALL is the first of them, with the bytes of all. Any thread.
void recordOnDevice(const DeviceOperation &All, uint32_t Count, uint64_t Start,
                    uint64_t End);

/// Call when the calling thread ends.
void forgetWork();

/// For a forked child: drops the ring and the work so far.
void resetCollectives();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_COLLECTIVES_H

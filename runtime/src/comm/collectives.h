// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of collectives, in a bounded ring of the profile
// (loopscope_collective): the newest stay.

#ifndef LOOPSCOPE_COMM_COLLECTIVES_H
#define LOOPSCOPE_COMM_COLLECTIVES_H

#include "on_device.h"

#include "core/extension.h"

namespace loopscope::runtime {

/// LOOPSCOPE=mpi=auto: calls of MPI are recorded.
extern bool MpiWanted;

/// LOOPSCOPE=keep=: which files a run of several ranks leaves, where MPI can
/// merge their profiles.
enum class Keep { All, Merged, Ranks };
extern Keep Keeps;

/// Adds BYTES that a span of N moved to the node's sum.
void addBytes(const Node *N, uint64_t Bytes);

/// Registers the counters and the sum.
void registerCollectives();

/// Has the spans of a COLLECTIVE recorded.
uint64_t chooseCollective(Node *N);

/// Looks at what the thread has done since its last collective, before the span
/// begins; records the span when it has ended. Both give the ticks that they
/// took.
uint64_t beginCollective(Node *N, uint64_t Now);
uint64_t endCollective(Node *N, uint64_t Now);

/// Records COUNT operations that a device did in one kernel, from START to END,
/// of which ALL is the first, with the bytes of all. Any thread.
void recordOnDevice(const DeviceOperation &All, uint32_t Count, uint64_t Start,
                    uint64_t End);

/// The calling thread ends.
void forgetWork();

/// For a forked child: no ring, and nothing done so far.
void resetCollectives();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_COLLECTIVES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranks exchanged how much with each other, in a bounded table of the
// profile (loopscope_peer).

#ifndef LOOPSCOPE_COMM_PEERS_H
#define LOOPSCOPE_COMM_PEERS_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Registers the counters and the sum.
void registerPeers();

/// Counts a call of the node with this index that involved PEER, a rank in the
/// world, and moved BYTES.
void addPeer(uint32_t Node, uint32_t Peer, loopscope_peer_role Role,
             uint64_t Bytes);

/// A nonblocking call of the node ended TICKS after it began.
void addRequest(uint32_t Node, uint64_t Ticks);
/// The ends of COUNT nonblocking calls will never be known.
void loseRequests(uint64_t Count);

/// For a forked child, which has no table.
void resetPeers();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_PEERS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranks exchanged how much.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_PEERS_H
#define LOOPSCOPE_ANALYSIS_RANKS_PEERS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// Calls and the bytes that they moved.
struct Messages {
  uint64_t Calls = 0;
  uint64_t Bytes = 0;
};

/// What one rank exchanged with another.
struct PeerRow {
  int64_t Rank = -1; ///< negative: the process has none
  std::string Host;
  int64_t Peer = 0;
  std::string PeerHost; ///< empty: the peer's profile isn't here
  Messages Sent;        ///< to the peer
  Messages Received;    ///< from it
  Messages Rooted;      ///< in collectives of which the peer is the root

  uint64_t bytes() const { return Sent.Bytes + Received.Bytes; }
};

/// The rows of a stage, most bytes first.
struct StagePeers {
  std::string Id, Title;
  std::vector<PeerRow> Rows;
  Messages Sent;        ///< of all rows
  uint64_t AbroadBytes; ///< of Sent, to ranks on other hosts
  bool KnowsHosts;      ///< of all peers that something was sent to
};

/// The stages of \p All, the ranks of one run, in which ranks have peers on
/// record.
std::vector<StagePeers> peersOf(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_PEERS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the programs that measure: this one in another mode of the runtime,
// and the other profilers' programs where they could be built.

#ifndef LOOPSCOPE_TEST_BENCH_PEERS_H
#define LOOPSCOPE_TEST_BENCH_PEERS_H

#include <string>
#include <vector>

namespace bench {

/// Another profiler whose hooks we time.
struct Peer {
  std::string Name;
  std::string Program; ///< that measures it; empty when it wasn't built
  std::string Reason;  ///< why it wasn't
  /// Shell command; {program}, {directory} (scratch) and {rounds} are filled
  /// in.
  std::string Command;
};

/// All that we know of, built or not.
std::vector<Peer> peers();

/// Runs this program in a mode of the runtime and returns what it printed.
std::string runMode(const std::string &Mode, unsigned Rounds);

/// Runs a peer's program and returns what it printed, or a line that says why
/// it was left out.
std::string runPeer(const Peer &P, unsigned Rounds);

} // namespace bench

#endif // LOOPSCOPE_TEST_BENCH_PEERS_H

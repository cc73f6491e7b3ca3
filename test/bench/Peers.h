// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the measuring programs: this one in another mode of the runtime, and
// the other profilers' programs, if they could be built.

#ifndef LOOPSCOPE_TEST_BENCH_PEERS_H
#define LOOPSCOPE_TEST_BENCH_PEERS_H

#include <string>
#include <vector>

namespace bench {

/// Another profiler, whose hooks are timed.
struct Peer {
  std::string Name;
  std::string Program; ///< its measuring program; empty if it wasn't built
  std::string Reason;  ///< why there is no program
  /// Shell command; {program}, {directory} (scratch) and {rounds} are replaced.
  std::string Command;
};

/// All known peers, built or not.
std::vector<Peer> peers();

/// Runs this program in a mode of the runtime and returns its output.
std::string runMode(const std::string &Mode, unsigned Rounds);

/// Runs a peer's program and returns its output, or a line with the reason why
/// it was skipped.
std::string runPeer(const Peer &P, unsigned Rounds);

} // namespace bench

#endif // LOOPSCOPE_TEST_BENCH_PEERS_H

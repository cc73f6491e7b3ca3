// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters and per-node sums that parts of the runtime store under their own
// names, as plain values. Readers take the keys that they know.

#ifndef LOOPSCOPE_RUN_READ_SUMSREADER_H
#define LOOPSCOPE_RUN_READ_SUMSREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// What was lost or repaired, under a name.
struct NamedCounter {
  std::string Key;
  uint64_t Value = 0;
};

/// The sum of one key at one node, for the node itself; it includes its
/// children if the key says so.
struct NodeSum {
  std::string Key;
  uint32_t Node = None; ///< index of ours
  loopscope_sum_unit Unit = LOOPSCOPE_SUM_NUMBER;
  uint64_t Count = 0;
  uint64_t Sum = 0; ///< in Unit, ticks as the file has them
};

struct NamedSums {
  std::vector<NamedCounter> Counters;
  std::vector<NodeSum> Nodes;
};

/// Reads all of them, in the file's order. \p NodeOf maps the file's node
/// indices to ours. Sums without a key or node are left out and counted in
/// Lost.BadRecords. Sums in a unit that only newer runtimes know are left out.
/// A sum read in the middle of a change is kept and counted in Lost.TornNodes.
NamedSums readNamedSums(ProfileBytes &Records,
                        const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                        Integrity &Lost);

/// Fills in the sites of \p R with when each function's hooks switched
/// themselves off, from \p Sums: each call path that its thread had then
/// records it, and the earliest counts.
void readSwitchedOff(const NamedSums &Sums, const Clock &Ticks, Run &R);

/// Fills in the loops of \p R with the steps with which their executions began.
void readFirstSteps(const NamedSums &Sums, const Clock &Ticks, Run &R);

/// Whether a sum is the cost of a part of the runtime, within its node's self
/// time.
bool isCost(const NodeSum &Sum);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SUMSREADER_H

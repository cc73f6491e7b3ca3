// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters and sums per node that parts of the runtime keep under names of
// their own: records to plain values. Who reads them takes the keys it knows.

#ifndef LOOPSCOPE_RUN_READ_SUMSREADER_H
#define LOOPSCOPE_RUN_READ_SUMSREADER_H

#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

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

/// The sum of one key at one node, of the node itself; of its children too
/// where the key says so.
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

/// Reads all of them, in the file's order. NODE_OF: the file's node indices ->
/// ours. What has no key or no node is counted in LOST.BadRecords and left out;
/// a sum in a unit that a newer runtime brought is left out; one caught in the
/// middle of a change is kept and counted in LOST.TornNodes.
NamedSums readNamedSums(ProfileBytes &Records,
                        const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                        Integrity &Lost);

/// When each function whose hooks switched themselves off did so, from SUMS
/// into the sites of P: each call path that its thread had then says it, and
/// the first of them counts.
void readSwitchedOff(const NamedSums &Sums, const Clock &Ticks, Run &P);

/// Whether a sum is what a part of the runtime took of its node's self time.
bool isCost(const NodeSum &Sum);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SUMSREADER_H

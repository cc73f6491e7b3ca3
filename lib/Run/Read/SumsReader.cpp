// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the COUNTERS and NODE_SUMS chunks.

#include "Run/Read/SumsReader.h"

#include <algorithm>

using namespace loopscope;

NamedSums
loopscope::readNamedSums(ProfileBytes &Records,
                         const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                         Integrity &Lost) {
  NamedSums Result;
  for (const auto &Record : Records.counters()) {
    std::string Key = Records.text(Record.Value.key);
    if (Key.empty())
      ++Lost.BadRecords;
    else
      Result.Counters.push_back({std::move(Key), Record.Value.value});
  }
  for (const auto &Record : Records.nodeSums()) {
    const loopscope_node_sum &S = Record.Value;
    Lost.TornNodes += Record.Torn;
    std::string Key = Records.text(S.key);
    auto Node = NodeOf.find(S.node);
    if (Key.empty() || Node == NodeOf.end())
      ++Lost.BadRecords;
    else if (S.unit >= LOOPSCOPE_SUM_NUMBER && S.unit <= LOOPSCOPE_SUM_REAL)
      Result.Nodes.push_back({std::move(Key), Node->second,
                              static_cast<loopscope_sum_unit>(S.unit), S.count,
                              S.sum});
  }
  return Result;
}

void loopscope::readSwitchedOff(const NamedSums &Sums, const Clock &Ticks,
                                Run &R) {
  for (const NodeSum &Each : Sums.Nodes) {
    uint32_t Index = R.Nodes[Each.Node].Site;
    if (Each.Key != LOOPSCOPE_SUM_FUNCTIONS_OFF || Index == None)
      continue;
    int64_t &Since = R.Sites[Index].OffSinceNs;
    int64_t Ns = Ticks.toNs(Each.Sum);
    Since = Since < 0 ? Ns : std::min(Since, Ns);
  }
}

void loopscope::readFirstSteps(const NamedSums &Sums, const Clock &Ticks,
                               Run &R) {
  for (const NodeSum &Each : Sums.Nodes) {
    Node &N = R.Nodes[Each.Node];
    if (Each.Unit != LOOPSCOPE_SUM_TICKS)
      continue;
    if (Each.Key == LOOPSCOPE_SUM_FIRST_STEPS) {
      N.FirstSteps = Each.Count;
      N.FirstNs = Ticks.toNs(Each.Sum);
    } else if (Each.Key == LOOPSCOPE_SUM_FIRST_DRAWS) {
      N.FirstDrawNs = Ticks.toNs(Each.Sum);
    }
  }
}

bool loopscope::isCost(const NodeSum &Sum) {
  return Sum.Unit == LOOPSCOPE_SUM_TICKS &&
         Sum.Key.starts_with(LOOPSCOPE_SUM_COST);
}

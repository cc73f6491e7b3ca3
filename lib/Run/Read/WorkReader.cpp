// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the sums, and takes out what open spans reported.

#include "Run/Read/WorkReader.h"

#include <bit>
#include <cmath>
#include <unordered_map>

using namespace loopscope;

void loopscope::readWork(const NamedSums &Sums, Run &Into) {
  std::unordered_map<uint32_t, double> LastOf; // by node
  for (const NodeSum &Each : Sums.Nodes) {
    bool IsLast = Each.Key == LOOPSCOPE_SUM_WORK_LAST;
    if ((!IsLast && Each.Key != LOOPSCOPE_SUM_WORK_FLOPS) ||
        Each.Unit != LOOPSCOPE_SUM_REAL)
      continue;
    auto Flops = std::bit_cast<double>(Each.Sum);
    if (!std::isfinite(Flops) || Flops < 0)
      ++Into.Lost.BadRecords;
    else if (IsLast)
      LastOf[Each.Node] = Flops;
    else
      Into.Nodes[Each.Node].Work = {Flops, Each.Count};
  }
  for (const auto &[Index, Last] : LastOf) {
    Node &N = Into.Nodes[Index];
    if (!N.Open || N.Work.Spans <= N.Spans.count())
      continue;
    N.Work.Flops = std::max(0.0, N.Work.Flops - Last);
    --N.Work.Spans;
  }
}

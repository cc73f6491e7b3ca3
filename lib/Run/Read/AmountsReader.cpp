// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the sums, and takes out what open spans gave.

#include "Run/Read/AmountsReader.h"

#include <bit>
#include <cmath>
#include <unordered_map>

using namespace loopscope;

namespace {
void readAmount(const NamedSums &Sums, const SpanAmountRow &Row, Run &Into) {
  std::unordered_map<uint32_t, double> LastOf; // by node
  for (const NodeSum &Each : Sums.Nodes) {
    bool IsLast = Each.Key == Row.Last;
    if ((!IsLast && Each.Key != Row.Sum) || Each.Unit != LOOPSCOPE_SUM_REAL)
      continue;
    auto Amount = std::bit_cast<double>(Each.Sum);
    if (!std::isfinite(Amount) || Amount < 0)
      ++Into.Lost.BadRecords;
    else if (IsLast)
      LastOf[Each.Node] = Amount;
    else
      Into.Nodes[Each.Node].Amounts[Row.Which] = {Amount, Each.Count};
  }
  for (const auto &[Index, Last] : LastOf) {
    Node &N = Into.Nodes[Index];
    GivenAmount &Given = N.Amounts[Row.Which];
    if (!N.Open || Given.Spans <= N.Spans.count())
      continue;
    Given.Sum = std::max(0.0, Given.Sum - Last);
    --Given.Spans;
  }
}
} // namespace

void loopscope::readAmounts(const NamedSums &Sums, Run &Into) {
  for (const SpanAmountRow &Row : SpanAmounts)
    readAmount(Sums, Row, Into);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds rows by stage and name, and what speaks for a change.

#include "Analysis/Compare/ActionRows.h"

#include "Analysis/Tree/FlatRows.h"

#include <algorithm>
#include <cmath>

using namespace loopscope;

namespace {
const ActionChange *find(const std::vector<StageChange> &Stages,
                         loopscope_kind Kind, const std::string &Name) {
  for (const StageChange &Stage : Stages)
    if (Stage.Of.Kind == Kind)
      for (const ActionChange &Each : Stage.Actions)
        if (Each.Name == Name)
          return &Each;
  return nullptr;
}

bool isWhole(double Value) {
  constexpr double Rounding = 1e-9;
  return std::abs(Value - std::round(Value)) <= Rounding * std::abs(Value);
}
} // namespace

std::vector<const ActionChange *>
loopscope::rowsByNode(const Run &R, const std::vector<StageChange> &Stages) {
  std::vector<const ActionChange *> Result(R.Nodes.size(), nullptr);
  auto All = findStages(R);
  for (const Stage &S : All.List)
    for (const FlatRow &Row : flatten(R, All, S).Rows) {
      const ActionChange *Is = find(Stages, S.Kind, Row.Name);
      for (uint32_t Node : Row.Nodes)
        // A stage inside another one is a row of the outer.
        if (!Result[Node] || All.Of[Node] == S.Kind)
          Result[Node] = Is;
    }
  return Result;
}

const char *loopscope::keyOf(ChangeBasis Of) {
  switch (Of) {
  case ChangeBasis::Mean:
    return "mean";
  case ChangeBasis::Spans:
    return "spans";
  case ChangeBasis::New:
    return "new";
  case ChangeBasis::Gone:
    return "gone";
  case ChangeBasis::Chance:
    return "chance";
  case ChangeBasis::Numbers:
    return "numbers";
  case ChangeBasis::Small:
    return "small";
  case ChangeBasis::Unknown:
    break;
  }
  return "unknown";
}

bool loopscope::isKnown(ChangeBasis Of) {
  return Of == ChangeBasis::Mean || Of == ChangeBasis::Spans ||
         Of == ChangeBasis::New || Of == ChangeBasis::Gone;
}

void TimeChange::judge(const std::optional<MeanTest> &Test, bool IsSmall,
                       bool ManySteps) {
  if (BeforeSpans == 0 && AfterSpans > 0)
    Basis = ChangeBasis::New;
  else if (BeforeSpans > 0 && AfterSpans == 0)
    Basis = ChangeBasis::Gone;
  else if (ManySteps && isWhole(BeforeSpans) && isWhole(AfterSpans) &&
           std::round(BeforeSpans) != std::round(AfterSpans))
    Basis = ChangeBasis::Spans;
  else if (!Test)
    Basis = ChangeBasis::Unknown;
  else if (IsSmall)
    Basis = ChangeBasis::Small;
  else if (!Test->isSignificant())
    Basis = ChangeBasis::Chance;
  else
    Basis = (Test->Percent > 0) == (ns() > 0) ? ChangeBasis::Mean
                                              : ChangeBasis::Numbers;
}

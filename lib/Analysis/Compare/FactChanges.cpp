// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of values, side by side.

#include "Analysis/Compare/FactChanges.h"

#include <algorithm>

using namespace loopscope;

namespace {
bool has(const std::vector<FactValue> &All, const FactValue &Value) {
  return std::ranges::any_of(
      All, [&](const FactValue &Each) { return isSame(Each, Value); });
}

bool areSame(const std::vector<FactValue> &A, const std::vector<FactValue> &B) {
  return A.size() == B.size() &&
         std::ranges::all_of(
             A, [&](const FactValue &Each) { return has(B, Each); });
}

void add(std::vector<FactChange> &To, const std::vector<Run> &Side,
         std::vector<FactValue> FactChange::*Into) {
  for (const Run &Of : Side)
    for (const RunFact &Each : Of.Facts) {
      auto Known = std::ranges::find(To, Each.Name, &FactChange::Name);
      if (Known == To.end())
        Known = To.insert(To.end(), {Each.Name, {}, {}});
      for (const RunFact::Said &Said : Each.Values)
        if (!has((*Known).*Into, Said.Value))
          ((*Known).*Into).push_back(Said.Value);
    }
}

// What every profile says, if all runs know it.
void addOwn(std::vector<FactChange> &To, const char *Name,
            const std::vector<Run> &Before, const std::vector<Run> &After,
            std::string RunInfo::*Of) {
  FactChange Own{Name, {}, {}};
  for (auto [Side, Into] :
       {std::pair(&Before, &Own.Before), std::pair(&After, &Own.After)})
    for (const Run &Each : *Side) {
      if ((Each.*Of).empty())
        return;
      if (!has(*Into, Each.*Of))
        Into->emplace_back(Each.*Of);
    }
  To.push_back(std::move(Own));
}
} // namespace

std::vector<FactChange> loopscope::changedFacts(const std::vector<Run> &Before,
                                                const std::vector<Run> &After) {
  std::vector<FactChange> Result;
  add(Result, Before, &FactChange::Before);
  add(Result, After, &FactChange::After);
  addOwn(Result, "program", Before, After, &RunInfo::Program);
  addOwn(Result, "command line", Before, After, &RunInfo::CommandLine);
  std::erase_if(Result, [](const FactChange &Each) {
    return areSame(Each.Before, Each.After);
  });
  return Result;
}

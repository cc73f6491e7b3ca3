// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changed between two sides, as JSON. Times are nanoseconds, per step.

#include "Report/Html/HtmlJson.h"

#include <cmath>

using namespace loopscope;
using nlohmann::ordered_json;

namespace {
// Parts of a waterfall: more bars than that are no picture.
constexpr size_t MostBars = 14;

ordered_json testJson(const std::optional<MeanTest> &Of) {
  if (!Of)
    return nullptr;
  return {{"percent", Of->Percent},
          {"low", Of->LowPercent},
          {"high", std::isfinite(Of->HighPercent)
                       ? ordered_json(Of->HighPercent)
                       : ordered_json(nullptr)},
          {"significant", Of->isSignificant()}};
}

ordered_json changeJson(const TimeChange &Of) {
  return {{"before", Of.BeforeNs},
          {"after", Of.AfterNs},
          {"spans", {Of.BeforeSpans, Of.AfterSpans}},
          {"basis", keyOf(Of.Basis)},
          {"known", isKnown(Of.Basis)}};
}

ordered_json sideJson(const StepChange::Side &Of) {
  return {{"count", Of.Count}, {"place", Of.Place}, {"ns", Of.MeanNs}};
}

ordered_json stepJson(const StepChange &Of) {
  ordered_json Parts = ordered_json::array();
  for (const StepPartChange &Each : largestParts(Of, MostBars)) {
    Parts.push_back(changeJson(Each));
    Parts.back()["name"] = Each.Name;
    Parts.back()["row"] =
        Each.Row ? ordered_json(Each.Row->Name) : ordered_json(nullptr);
  }
  return {{"steps", Of.AreSteps},          {"training", Of.IsTraining},
          {"before", sideJson(Of.Before)}, {"after", sideJson(Of.After)},
          {"test", testJson(Of.Test)},     {"parts", std::move(Parts)}};
}
} // namespace

ordered_json loopscope::comparisonJson(const HtmlComparison &Of) {
  ordered_json Facts = ordered_json::array();
  for (const Table &Each : Of.Facts)
    Facts.push_back(tableJson(Each));
  return {{"facts", std::move(Facts)},
          {"step", Of.Step ? stepJson(*Of.Step) : ordered_json(nullptr)},
          {"missing", Of.Missing}};
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changed between two sides, as JSON. Times are nanoseconds, per step.

#include "Report/Html/HtmlJson.h"
#include "Run/Model/Stages.h"

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

// The bases on which a change is unlikely to be chance.
ordered_json knownJson() {
  ordered_json Result = ordered_json::array();
  for (ChangeBasis Each : AllBases)
    if (isKnown(Each))
      Result.push_back(keyOf(Each));
  return Result;
}

ordered_json changeJson(const TimeChange &Of) {
  auto Spans = [&](double Count) {
    return Of.HasSpans ? ordered_json(Count) : ordered_json(nullptr);
  };
  return {{"before", Of.BeforeNs},
          {"after", Of.AfterNs},
          {"spans", {Spans(Of.BeforeSpans), Spans(Of.AfterSpans)}},
          {"basis", keyOf(Of.Basis)}};
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
// [name, path above, kind, before, after, larger, spans before, spans after,
// basis]
ordered_json pathsJson(const HtmlComparison &Of) {
  ordered_json Paths = ordered_json::array();
  for (const PathChange &Each : Of.Paths)
    Paths.push_back({Each.Name,
                     Each.Parent == None ? ordered_json(nullptr)
                                         : ordered_json(Each.Parent),
                     kindWord(Each.Kind), Each.BeforeNs, Each.AfterNs,
                     Each.LargerNs, Each.BeforeSpans, Each.AfterSpans,
                     keyOf(Each.Basis)});
  return {{"paths", std::move(Paths)}, {"hidden", Of.HiddenPaths}};
}

ordered_json spreadJson(const StepSpread &Of) {
  auto Side = [](const StepSpread::Side &Its) {
    return ordered_json{{"steps", Its.Steps},
                        {"percent", Its.Percent},
                        {"p50", Its.P50Ns},
                        {"p95", Its.P95Ns}};
  };
  return {{"edges", Of.EdgesNs},
          {"before", Side(Of.Before)},
          {"after", Side(Of.After)}};
}

ordered_json lineJson(const StepCurves::Line &Of) {
  ordered_json Means = ordered_json::array();
  for (double Each : Of.meansNs())
    Means.push_back(std::isnan(Each) ? ordered_json(nullptr)
                                     : ordered_json(Each));
  return {{"mean", std::move(Means)}, {"steps", Of.Steps}};
}

ordered_json curvesJson(const StepCurves &Of) {
  auto Side = [](const StepCurves::Side &Its) {
    return ordered_json{{"share", lineJson(Its.ByShare)},
                        {"step", lineJson(Its.ByStep)}};
  };
  return {{"bins", Of.Bins},
          {"steps", Of.MostSteps},
          {"processes", Of.Processes},
          {"before", Side(Of.Before)},
          {"after", Side(Of.After)}};
}
} // namespace

ordered_json loopscope::comparisonJson(const HtmlComparison &Of) {
  ordered_json Facts = ordered_json::array();
  for (const Table &Each : Of.Facts)
    Facts.push_back(tableJson(Each));
  return {
      {"facts", std::move(Facts)},
      {"step", Of.Step ? stepJson(*Of.Step) : ordered_json(nullptr)},
      {"change", Of.Change},
      {"spread", Of.Spread ? spreadJson(*Of.Spread) : ordered_json(nullptr)},
      {"curves", Of.Curves ? curvesJson(*Of.Curves) : ordered_json(nullptr)},
      {"tree", pathsJson(Of)},
      {"known", knownJson()},
      {"missing", Of.Missing}};
}

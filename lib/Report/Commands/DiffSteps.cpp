// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of steps, side by side.

#include "Report/Commands/DiffSteps.h"

#include "Report/Print/Cells.h"
#include "Support/Numbers.h"

#include <cmath>
#include <utility>

using namespace loopscope;

namespace {
// Of a part or call path, after its name.
const std::vector<Column> ChangeColumns = {
    {"before_s", "Before", Style::Time},
    {"after_s", "After", Style::Time},
    {"change_s", "Change", Style::Time},
    {"before_spans", "Spans before", Style::Number, 5},
    {"after_spans", "Spans after", Style::Number, 5},
    {"basis", "Basis", Style::Text, 1},
    {"change_percent", "Change of mean", Style::Percent2, 2},
    {"low_percent", "From", Style::Percent2, 3},
    {"high_percent", "To", Style::Percent2, 3}};

Cell time(double Ns) { return seconds(Ns / NsPerSecond); }

// Spans per step: whole numbers are exact.
Cell spans(double Mean) {
  return Mean == std::floor(Mean) ? real(Mean) : real(Mean, threeDigits(Mean));
}

// The change of the mean, its interval; absent without a test.
void addTest(const std::optional<MeanTest> &Of, Row &To) {
  for (double MeanTest::*Each :
       {&MeanTest::Percent, &MeanTest::LowPercent, &MeanTest::HighPercent})
    To.Cells.push_back(Of ? signedPercent((*Of).*Each) : absent());
}
// After its name.
void addChange(const TimeChange &Of, const std::optional<MeanTest> &Test,
               Row &To) {
  To.Cells.insert(To.Cells.end(),
                  {time(Of.BeforeNs), time(Of.AfterNs), time(Of.ns()),
                   Of.HasSpans ? spans(Of.BeforeSpans) : absent(),
                   Of.HasSpans ? spans(Of.AfterSpans) : absent(),
                   text(keyOf(Of.Basis))});
  addTest(Test, To);
}

Table tableOf(const char *Id, const char *Title, Column Name) {
  Table Result;
  Result.Id = Id;
  Result.Title = Title;
  Result.Columns = {std::move(Name)};
  Result.Columns.insert(Result.Columns.end(), ChangeColumns.begin(),
                        ChangeColumns.end());
  return Result;
}

// Both sides' LINE, in bins of an axis from 0 to END.
Table tableOfCurves(const StepCurves &Of, const char *Id, const char *Title,
                    std::vector<Column> Axis, double End,
                    StepCurves::Line StepCurves::Side::*Line) {
  Table Result;
  Result.Id = Id;
  Result.Title = Title;
  Result.Columns = std::move(Axis);
  for (const Column &Each :
       {Column{"before_s", "Mean before", Style::Time},
        Column{"after_s", "Mean after", Style::Time},
        Column{"before_steps", "Steps before", Style::Number},
        Column{"after_steps", "Steps after", Style::Number}})
    Result.Columns.push_back(Each);
  std::vector<double> Before = (Of.Before.*Line).meansNs();
  std::vector<double> After = (Of.After.*Line).meansNs();
  auto Mean = [](double Ns) { return std::isnan(Ns) ? absent() : time(Ns); };
  auto Place = [&](size_t Bin) {
    return real(End * static_cast<double>(Bin) / static_cast<double>(Of.Bins));
  };
  for (size_t I = 0; I < Of.Bins; ++I)
    Result.Rows.emplace_back().Cells = {Place(I),
                                        Place(I + 1),
                                        Mean(Before[I]),
                                        Mean(After[I]),
                                        real((Of.Before.*Line).Steps[I]),
                                        real((Of.After.*Line).Steps[I])};
  return Result;
}
} // namespace

Cell loopscope::signedPercent(double Percent) {
  std::string Text = changeText(Percent);
  return std::isfinite(Percent) ? real(Percent, std::move(Text))
                                : absent(std::move(Text));
}

std::string loopscope::basisNote() {
  return "Times and numbers of spans are per step (without steps, per run). "
         "Basis says what changed for certain: mean (of the spans; `From` and "
         "`To` are its 95% interval), spans (their number), new, gone. "
         "Anything "
         "else may be chance: numbers is time and mean that changed in "
         "opposite directions, small isn't judged, and unknown can't be.";
}

Table loopscope::stepTable(const StepChange &Of) {
  Table Result = tableOf("step", Of.AreSteps ? "Mean step" : "Mean run",
                         {"part", "Part", Style::Text});
  for (const StepPartChange &Each : Of.Parts) {
    Row &To = Result.Rows.emplace_back();
    To.Cells = {text(Each.Name)};
    addChange(Each, Each.Row ? Each.Row->Test : std::nullopt, To);
  }
  Row &Step = Result.Rows.emplace_back();
  Step.IsTotal = true;
  Step.Cells = {text(Of.AreSteps ? "(step)" : "(run)"),
                time(Of.Before.MeanNs),
                time(Of.After.MeanNs),
                time(Of.After.MeanNs - Of.Before.MeanNs),
                count(Of.Before.Count),
                count(Of.After.Count),
                text(!Of.Test                   ? "unknown"
                     : Of.Test->isSignificant() ? "mean"
                                                : "chance")};
  addTest(Of.Test, Step);
  return Result;
}

Table loopscope::pathTable(const std::vector<PathChange> &Paths) {
  Table Result = tableOf("paths", "", {"path", "Call path", Style::Text});
  std::vector<int> Depths;
  for (const PathChange &Each : Paths) {
    Depths.push_back(Each.Parent == None ? 0 : Depths[Each.Parent] + 1);
    Row &To = Result.Rows.emplace_back();
    To.Depth = Depths.back();
    To.Cells = {text(Each.Name)};
    addChange(Each, Each.test(), To);
  }
  Result.Notes = {basisNote()};
  return Result;
}

Table loopscope::stepTimesTable(const StepSpread &Of) {
  Table Result;
  Result.Id = "step_times";
  Result.Title = "Steps by duration";
  Result.Columns = {{"from_s", "From", Style::Time},
                    {"to_s", "To", Style::Time},
                    {"before_percent", "Steps before", Style::Percent2},
                    {"after_percent", "Steps after", Style::Percent2}};
  for (size_t I = 0; I + 1 < Of.EdgesNs.size(); ++I)
    Result.Rows.emplace_back().Cells = {
        time(Of.EdgesNs[I]), time(Of.EdgesNs[I + 1]),
        real(Of.Before.Percent[I]), real(Of.After.Percent[I])};
  return Result;
}

Table loopscope::quantileTable(const StepSpread &Of) {
  Table Result;
  Result.Id = "step_quantiles";
  Result.Title = "Quantiles of the steps' durations";
  Result.Columns = {{"quantile", "Quantile", Style::Text},
                    {"before_s", "Before", Style::Time},
                    {"after_s", "After", Style::Time}};
  Result.Rows.emplace_back().Cells = {text("p50"), time(Of.Before.P50Ns),
                                      time(Of.After.P50Ns)};
  Result.Rows.emplace_back().Cells = {text("p95"), time(Of.Before.P95Ns),
                                      time(Of.After.P95Ns)};
  return Result;
}

Table loopscope::curveTable(const StepCurves &Of) {
  return tableOfCurves(Of, "step_curves", "Mean step by share of the run",
                       {{"from_percent", "From", Style::Percent2},
                        {"to_percent", "To", Style::Percent2}},
                       100, &StepCurves::Side::ByShare);
}

Table loopscope::curveByStepTable(const StepCurves &Of) {
  return tableOfCurves(Of, "step_curves_by_step", "Mean step by step",
                       {{"from_step", "From step", Style::Number},
                        {"to_step", "To step", Style::Number}},
                       static_cast<double>(Of.MostSteps),
                       &StepCurves::Side::ByStep);
}

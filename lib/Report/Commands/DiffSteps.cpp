// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of steps, side by side.

#include "Report/Commands/DiffSteps.h"

#include "Report/Print/Cells.h"
#include "Support/Numbers.h"

#include <cmath>

using namespace loopscope;

namespace {
const std::vector<Column> StepColumns = {
    {"part", "Part", Style::Text},
    {"before_s", "Before", Style::Duration},
    {"after_s", "After", Style::Duration},
    {"change_s", "Change", Style::Duration},
    {"before_spans", "Spans before", Style::Number},
    {"after_spans", "Spans after", Style::Number},
    {"basis", "Basis", Style::Text},
    {"change_percent", "Change of mean", Style::Percent2},
    {"low_percent", "From", Style::Percent2},
    {"high_percent", "To", Style::Percent2}};

Cell time(double Ns) { return seconds(Ns / NsPerSecond); }

// The change of the mean, its interval; absent without a test.
void addTest(const std::optional<MeanTest> &Of, Row &To) {
  To.Cells.push_back(Of ? real(Of->Percent) : absent());
  To.Cells.push_back(Of ? real(Of->LowPercent) : absent());
  To.Cells.push_back(
      Of && std::isfinite(Of->HighPercent) ? real(Of->HighPercent) : absent());
}
} // namespace

Table loopscope::stepTable(const StepChange &Of) {
  Table Result;
  Result.Id = "step";
  Result.Title = Of.AreSteps ? "Mean step" : "Mean run";
  Result.Columns = StepColumns;
  for (const StepPartChange &Each : Of.Parts) {
    Row &To = Result.Rows.emplace_back();
    To.Cells = {text(Each.Name),        time(Each.BeforeNs),
                time(Each.AfterNs),     time(Each.ns()),
                real(Each.BeforeSpans), real(Each.AfterSpans),
                text(keyOf(Each.Basis))};
    addTest(Each.Row ? Each.Row->Test : std::nullopt, To);
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

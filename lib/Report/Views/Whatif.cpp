// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whatif view: what the experiments on the running program show about each
// phase.

#include "Analysis/Tree/Whatif.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/PathTree.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <loopscope/whatif_estimate.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"path", "Path", Style::Text, 3},
    {"phase", "Phase", Style::Text},
    {"time_s", "Time per step", Style::Duration},
    {"slope", "Slope", Style::Number},
    {"slope_low", "from", Style::Number, 1},
    {"slope_high", "to (95 %)", Style::Number, 1},
    {"saves_percent_at_10", "10 % less saves %", Style::Number},
    {"verdict", "Verdict", Style::Text},
    {"blocks", "Experiments", Style::Integer, 2}};

Cell decimals(double Value) {
  return real(Value, fmt::format("{:.2f}", Value));
}

Row rowOf(const Run &P, const WhatifRow &From) {
  auto IfKnown = [&](bool Known, double Value) {
    return Known ? decimals(Value) : absent();
  };
  Row Next;
  Next.Cells = {
      text(whatifPath(P, From.Node)),
      text(treeName(P, P.Nodes[From.Node])),
      From.Blocks != 0 ? seconds(From.PhaseSeconds) : absent(),
      IfKnown(From.HasSlope, From.Slope),
      IfKnown(From.HasSlope, From.Low),
      IfKnown(From.HasSlope, From.High),
      IfKnown(From.Verdict != WhatifVerdict::Unknown, From.SavesPercent),
      text(wordOf(From.Verdict)),
      count(From.Blocks)};
  return Next;
}

// Whether and how intervals can get narrower.
std::string endOf(const WhatifResult &Result) {
  if (Result.IsDone)
    return fmt::format("Every interval is narrower than {}: the experiments "
                       "are done.",
                       whatif::WidthWanted);
  std::string Short = fmt::format(
      "those of phases that take less than {:.0f} % of a step may never be",
      WhatifShort * 100);
  if (Result.StepsMissing == 0)
    return fmt::format("Every interval is narrower than {}, but {}.",
                       whatif::WidthWanted, Short);
  return fmt::format("Some intervals are wider than {}: about {} more would "
                     "narrow them, if they vary as the {} so far{}.",
                     whatif::WidthWanted, counted(Result.StepsMissing, "step"),
                     Result.Steps, Result.IsShortMissing ? "; " + Short : "");
}

// Whose steps were measured.
std::string measureOf(const Run &P, const std::vector<WhatifRow> &Rows) {
  std::set<std::string> Loops;
  for (const WhatifRow &Each : Rows)
    Loops.insert(whatifPath(P, Each.Loop));
  return fmt::format("Steps are those of {}.", fmt::join(Loops, ", "));
}

Result<std::vector<Table>> build(const Run &P, const ViewOptions &) {
  WhatifResult Found = whatifOf(P);
  if (Found.Rows.empty())
    return Error{fmt::format("{}: has no experiments; run the program with "
                             "LOOPSCOPE=whatif, for longer if you did",
                             P.Path)};
  Stages All = findStages(P);
  std::vector<Table> Tables;
  for (const Stage &S : All.List) {
    Table Next;
    Next.Id = S.Id;
    Next.Where = {{"stage", S.Id}};
    Next.Title = All.List.size() == 1
                     ? "What if a phase were shorter?"
                     : "What if a phase of " + S.Id + " were shorter?";
    Next.Columns = Columns;
    for (const WhatifRow &Each : Found.Rows)
      if (All.Of[Each.Node] == S.Kind)
        Next.Rows.push_back(rowOf(P, Each));
    Next.Notes.push_back(measureOf(P, Found.Rows));
    Next.Notes.push_back(endOf(Found));
    if (!Next.Rows.empty())
      Tables.push_back(std::move(Next));
  }
  return Tables;
}
} // namespace

namespace loopscope {
extern const View WhatifView = {
    .Name = "whatif",
    .Help = "what a shorter phase would save, by experiment (LOOPSCOPE=whatif)",
    .OfRun = build,
    .Shape = {.NameColumn = 1},
    .HasStageTables = true,
};
} // namespace loopscope

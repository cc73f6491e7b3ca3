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
const std::vector<Column> WhatifColumns = {
    {"path", "Path", Style::Text, 3},
    {"phase", "Phase", Style::Text},
    {"time_s", "Time per step", Style::Time},
    {"slope", "Slope", Style::Number},
    {"slope_low", "from", Style::Number, 1},
    {"slope_high", "to (95%)", Style::Number, 1},
    {"saves_percent_at_10", "10% less saves %", Style::Number},
    {"verdict", "Verdict", Style::Text},
    {"blocks", "Experiments", Style::Integer, 2}};

Cell decimals(double Value) {
  return real(Value, fmt::format("{:.2f}", Value));
}

Row rowOf(const Run &R, const WhatifRow &From) {
  auto IfKnown = [&](bool Known, double Value) {
    return Known ? decimals(Value) : absent();
  };
  Row Next;
  Next.Cells = {
      text(whatifPath(R, From.Node)),
      text(treeName(R, R.Nodes[From.Node])),
      From.PhaseSeconds > 0 ? seconds(From.PhaseSeconds) : absent(),
      IfKnown(From.HasSlope, From.Slope),
      IfKnown(From.HasSlope, From.Low),
      IfKnown(From.HasSlope, From.High),
      IfKnown(From.Verdict != WhatifVerdict::Unknown, From.SavesPercent),
      text(wordOf(From.Verdict)),
      count(From.Blocks)};
  return Next;
}

// The names of the rows that have what OF, a member of WhatifRow, says.
std::string namesOf(const Run &R, const WhatifResult &Found,
                    bool WhatifRow::*Of) {
  std::vector<std::string> Names;
  for (const WhatifRow &Each : Found.Rows)
    if (Each.*Of)
      Names.push_back(treeName(R, R.Nodes[Each.Node]));
  return fmt::format("{}", fmt::join(Names, ", "));
}

// What the experiments can't show.
void addLimits(const Run &R, const WhatifResult &Found,
               std::vector<std::string> &To) {
  if (std::string Names = namesOf(R, Found, &WhatifRow::IsTooShort);
      !Names.empty())
    To.push_back(fmt::format("Without experiments: {}, too short to be "
                             "lengthened in every step.",
                             Names));
  if (Found.Refuted != None) {
    To.push_back(fmt::format(
        "Nothing was recorded that runs beside these steps, or for which they "
        "wait. So every slope should be 1, but that of {} isn't: the "
        "experiments show nothing here, and no phase has a verdict.",
        treeName(R, R.Nodes[Found.Refuted])));
    return;
  }
  if (std::string Names = namesOf(R, Found, &WhatifRow::IsNoise);
      !Names.empty())
    To.push_back(
        fmt::format("Noise: {}, whose slope can't be outside 0 to 1.", Names));
}

// Whether and how intervals can get narrower; "" if that isn't known.
std::string endOf(const WhatifResult &Result) {
  if (Result.Refuted != None)
    return "";
  if (Result.IsOutOfReach)
    return fmt::format("Steps vary too much for intervals narrower than {}: "
                       "that would take more than the {} experiments that a "
                       "phase gets in a run.",
                       whatif::WidthWanted, whatif::MostBlocks);
  if (Result.IsDone)
    return fmt::format("Every interval is narrower than {}: the experiments "
                       "are done.",
                       whatif::WidthWanted);
  std::string Short = fmt::format(
      "those of phases that take less than {:.0f}% of a step may never be",
      WhatifShort * 100);
  if (Result.StepsMissing == 0 && !Result.IsShortMissing)
    return "";
  if (Result.StepsMissing == 0)
    return fmt::format("Every interval is narrower than {}, but {}.",
                       whatif::WidthWanted, Short);
  return fmt::format("Some intervals are wider than {}: about {} more would "
                     "narrow them, if they vary as the {} so far{}.",
                     whatif::WidthWanted, counted(Result.StepsMissing, "step"),
                     Result.Steps, Result.IsShortMissing ? "; " + Short : "");
}

// Whose steps were measured.
std::string measureOf(const Run &R, const std::vector<WhatifRow> &Rows) {
  std::set<std::string> Loops;
  for (const WhatifRow &Each : Rows)
    Loops.insert(whatifPath(R, Each.Loop));
  return fmt::format("Steps are those of {}.", fmt::join(Loops, ", "));
}

Result<std::vector<Table>> buildWhatif(const Run &R, const ViewOptions &) {
  if (!R.By->TakesWords)
    return Error{fmt::format("{}: {} has no experiments; --view path has its "
                             "critical path",
                             R.Path, R.By->Noun)};
  WhatifResult Found = whatifOf(R);
  if (Found.Rows.empty())
    return Error{fmt::format("{}: has no experiments; run the program with "
                             "LOOPSCOPE=whatif, for longer if you did",
                             R.Path)};
  Stages All = findStages(R);
  std::vector<Table> Tables;
  for (const Stage &S : All.List) {
    Table Next;
    Next.Id = S.Id;
    Next.Where = {{"stage", S.Id}};
    Next.Title = All.List.size() == 1
                     ? "What if a phase were shorter?"
                     : "What if a phase of " + S.Id + " were shorter?";
    Next.Columns = WhatifColumns;
    for (const WhatifRow &Each : Found.Rows)
      if (All.Of[Each.Node] == S.Kind)
        Next.Rows.push_back(rowOf(R, Each));
    Next.Notes.push_back(measureOf(R, Found.Rows));
    addLimits(R, Found, Next.Notes);
    if (std::string End = endOf(Found); !End.empty())
      Next.Notes.push_back(std::move(End));
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
    .OfRun = buildWhatif,
    .Shape = {.NameColumn = 1},
    .HasStageTables = true,
};
} // namespace loopscope

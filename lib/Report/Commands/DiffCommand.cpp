// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads both sides and prints how they differ.

#include "Report/Commands/DiffCommand.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/DiffFacts.h"
#include "Report/Commands/DiffPage.h"
#include "Report/Commands/DiffRanks.h"
#include "Report/Commands/DiffSteps.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/OpenPage.h"
#include "Report/Commands/Output.h"
#include "Report/Print/Cells.h"
#include "Report/Views/CpuColumns.h"
#include "Run/Model/CallTree.h"
#include "Run/Model/NumberedNames.h"
#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

using namespace loopscope;

namespace {
const std::vector<Column> DiffColumns = {
    {"action", "Action", Style::Text},
    {"before_mean_s", "Mean before", Style::Time, 2},
    {"after_mean_s", "Mean after", Style::Time, 1},
    {"change_total_s", "Change of total", Style::Time},
    {"change_percent", "Change of mean", Style::Percent2},
    {"t", "t", Style::Number, 6},
    {"significant", "Significant", Style::Text},
    {"low_percent", "From", Style::Percent2, 3},
    {"high_percent", "To", Style::Percent2, 3},
    {"p", "p", Style::Number, 4}};

// Shown only if all runs of a side have GPU data.
const std::vector<Column> GpuColumns = {
    {"before_gpu_s", "GPU before", Style::Time, 3},
    {"after_gpu_s", "GPU after", Style::Time, 3}};

// The columns of views with such figures, before and after.
void addCpuColumns(std::vector<Column> &To) {
  for (const char *Side : {"before", "after"})
    for (Column &Each : cpuColumns(Style::Time, 5)) {
      Each.Key = fmt::format("{}_{}", Side, Each.Key);
      Each.Header = fmt::format("{} {}", Each.Header, Side);
      To.push_back(std::move(Each));
    }
}

void addCpuCells(const DiffSide &Side, uint64_t Runs, Row &To) {
  CpuSums Mean = Side.Cpu.dividedBy(Runs);
  for (Cell &Each : cpuCells(Mean, Side.CountedNs / static_cast<int64_t>(Runs)))
    To.Cells.push_back(std::move(Each));
}

const char *judgementOf(const ActionChange &Of) {
  if (!Of.Test)
    return "unknown";
  if (Of.IsSmall)
    return "small";
  return Of.isSignificant() ? "yes" : "no";
}

// Below what a double can tell from 0, P is none of its digits.
Cell probability(double P) {
  constexpr double Least = std::numeric_limits<double>::min();
  return real(P, P < Least ? "< 1e-300" : threeDigits(P));
}

Row rowOf(const ActionChange &Of, const StageChange &In) {
  auto Mean = [](const DiffSide &Side, double Ns) {
    return Side.RunMeansNs.empty() ? absent() : seconds(Ns / NsPerSecond);
  };
  std::optional<double> Percent = Of.percent();
  const std::optional<MeanTest> &Test = Of.Test;
  Row Result;
  Result.Cells = {text(Of.Name),
                  Mean(Of.Before, Of.beforeNs()),
                  Mean(Of.After, Of.afterNs()),
                  seconds(Of.totalNs() / NsPerSecond),
                  Percent                        ? signedPercent(*Percent)
                  : Of.Before.RunMeansNs.empty() ? absent("new")
                  : Of.After.RunMeansNs.empty()  ? absent("gone")
                                                 : absent(),
                  Test ? real(Test->T, threeDigits(Test->T)) : absent(),
                  text(judgementOf(Of)),
                  Test ? signedPercent(Test->LowPercent) : absent(),
                  Test ? signedPercent(Test->HighPercent) : absent(),
                  Test && !Of.IsSmall ? probability(Test->Corrected)
                                      : absent()};
  if (Of.isSignificant())
    Result.Look = Of.afterNs() > Of.beforeNs() ? Tone::Bad : Tone::Good;
  if (In.hasGpu())
    for (auto [Has, Side] : {std::pair(In.HasGpuBefore, &Of.Before),
                             std::pair(In.HasGpuAfter, &Of.After)})
      Result.Cells.push_back(Has ? Mean(*Side, Side->GpuNs) : absent());
  return Result;
}

// The row that sums up a stage.
Row meanRow(double Factor, size_t Columns) {
  Row Result;
  Result.Cells.assign(Columns, absent(" "));
  Result.Cells[0] = text("(geometric mean)");
  Result.Cells[4] = signedPercent((Factor - 1) * 100);
  return Result;
}

bool isDirectory(const std::string &Path) {
  std::error_code Failed;
  return std::filesystem::is_directory(Path, Failed);
}

// The runs of one side, or why they can't be compared.
Result<std::vector<Run>> readSide(const std::string &Path,
                                  const DiffRequest &Request) {
  Result<std::vector<std::string>> Files = expandInputs({Path});
  if (!Files)
    return Files.error();
  std::vector<Run> Runs;
  for (const std::string &File : *Files) {
    Result<Run> From = readInput(File, Request.Options);
    if (!From)
      return From.error();
    if (hasSamplesOnly(*From))
      return Error{fmt::format(
          "{}: the program was only sampled, so it has no times to compare; "
          "`loopscope try` marks and measures it",
          File)};
    // The history of a whole trace is made from its events.
    if ((Request.Options.Output == Format::Html ||
         Request.Options.Output == Format::Json) &&
        Request.Options.Stage.empty() && Request.Options.Thread.empty()) {
      addTreeAndHistory(*From, Request.Options.NumbersAreKeys);
    } else {
      addTree(*From);
      if (Request.Options.NumbersAreKeys)
        keyNumberedNames(*From);
    }
    From->Stream = {};
    Runs.push_back(std::move(*From));
  }
  return Runs;
}

bool wantsCpu(const std::vector<Run> &Before, const std::vector<Run> &After,
              const DiffRequest &Request) {
  Format Output = Request.Options.Output;
  bool IsData = Output == Format::Csv || Output == Format::Json;
  return (IsData || Request.Options.Stats) &&
         (std::any_of(Before.begin(), Before.end(), hasCpu) ||
          std::any_of(After.begin(), After.end(), hasCpu));
}
} // namespace

namespace {
std::string percentText(double Part) {
  return fmt::format("{:g}%", Part * 100);
}

// What the columns mean, below the tables.
std::vector<std::string> explanations(const DiffMethod &How) {
  const char *Of = "of the means over spans, in";
  const char *Unknown = "with fewer than 30 spans on a side";
  if (How.By == DiffTest::Runs) {
    Of = "of the runs' means, in";
    Unknown = "with fewer than 2 runs on a side";
  } else if (How.By == DiffTest::Pairs) {
    Of = "of pairs of runs, in";
    Unknown = "with fewer than 2 pairs";
  }
  std::vector<std::string> Lines;
  if (How.By == DiffTest::Runs)
    Lines.emplace_back("Means and totals are means over runs.");
  if (How.By == DiffTest::Pairs)
    Lines.emplace_back("Totals are means over runs. Means are geometric means "
                       "over the pairs; of five pairs or more, a fifth is left "
                       "out at either end, the smallest and largest changes.");
  Lines.push_back(fmt::format(
      "Significant: by a t-test {} which chance alone flags an action in at "
      "most one of {:.0f} comparisons (Holm). Unknown: {}, or without any "
      "spread. Small: below {} of the stage, not judged. From, To: 95% "
      "confidence interval of the change.",
      Of, 1 / DiffLevel, Unknown, percentText(How.LeastShare)));
  if (How.By == DiffTest::Spans)
    Lines.emplace_back(
        "Two single runs can differ by chance alone: --runs N -- BEFORE -- "
        "AFTER alternates both programs and tells a change from chance.");
  return Lines;
}
} // namespace

Section loopscope::buildDiff(const std::vector<StageChange> &Stages,
                             const DiffMethod &How, bool Cpu) {
  Section Result;
  Result.ViewName = "diff";
  for (const StageChange &Each : Stages) {
    auto Wall = [](double Ns) { return readableDuration(Ns / NsPerSecond); };
    Table T;
    T.Id = Each.Of.Id;
    T.Where = {{"stage", Each.Of.Id}};
    T.Title = fmt::format("{}: {} before, {} after", Each.Of.Title,
                          Wall(Each.WallBeforeNs), Wall(Each.WallAfterNs));
    T.Columns = DiffColumns;
    if (Each.hasGpu())
      T.Columns.insert(T.Columns.end(), GpuColumns.begin(), GpuColumns.end());
    if (Cpu)
      addCpuColumns(T.Columns);
    for (const ActionChange &Action : Each.Actions) {
      T.Rows.push_back(rowOf(Action, Each));
      if (!Cpu)
        continue;
      addCpuCells(Action.Before, Each.RunsBefore, T.Rows.back());
      addCpuCells(Action.After, Each.RunsAfter, T.Rows.back());
    }
    if (std::optional<double> Factor = geometricMean(Each))
      T.Rows.push_back(meanRow(*Factor, T.Columns.size()));
    Result.Tables.push_back(std::move(T));
  }
  Result.Footer = explanations(How);
  return Result;
}

namespace {
// Both sides, read from files or run here, and how to compare them.
struct DiffSides {
  std::vector<Run> Before;
  std::vector<Run> After;
  DiffTest By = DiffTest::Spans;
  bool AreRanks = false; // each side is of one run of several
};

Result<DiffSides> sidesOf(const DiffRequest &Request) {
  if (Request.Pairs.IsWanted) {
    Result<PairedRuns> Runs = runPairs(Request.Pairs, Request.Options);
    if (!Runs)
      return Runs.error();
    return DiffSides{std::move(Runs->Before), std::move(Runs->After),
                     DiffTest::Pairs};
  }
  DiffSides Sides;
  for (auto [Path, Into] : {std::pair(&Request.Before, &Sides.Before),
                            std::pair(&Request.After, &Sides.After)}) {
    Result<std::vector<Run>> Runs = readSide(*Path, Request);
    if (!Runs)
      return Runs.error();
    *Into = std::move(*Runs);
  }
  // A directory stands for several runs, even on one side only, unless these
  // are the ranks of one run.
  auto HasRuns = [](const std::string &Path, const std::vector<Run> &All) {
    return isDirectory(Path) && !areRanksOfOneRun(All);
  };
  if (HasRuns(Request.Before, Sides.Before) ||
      HasRuns(Request.After, Sides.After)) {
    Sides.By = DiffTest::Runs;
    Sides.Before = ranksMerged(std::move(Sides.Before));
    Sides.After = ranksMerged(std::move(Sides.After));
  }
  Sides.AreRanks =
      areRanksOfOneRun(Sides.Before) && areRanksOfOneRun(Sides.After);
  return Sides;
}

// Each key becomes an action; where one run has a range, all have.
void tellKeysApart(DiffSides &Sides) {
  std::vector<Run *> All;
  for (std::vector<Run> *Side : {&Sides.Before, &Sides.After})
    for (Run &Each : *Side)
      All.push_back(&Each);
  foldKeys(All);
  for (Run *Each : All)
    nameByKey(*Each);
}

// Adds what is known only about ranks.
void addRanks(const DiffSides &Sides, Section &To) {
  for (Table &Each : rankTables(compareRanks(Sides.Before, Sides.After)))
    To.Tables.push_back(std::move(Each));
  To.Footer.insert(To.Footer.begin(),
                   "Means and totals of actions are means over ranks; each "
                   "rank's times are per step.");
}

// Whether the mean step changed, and by which of its parts, for people.
void addStep(const DiffSides &Sides, const std::vector<StageChange> &Stages,
             DiffTest By, Section &To) {
  loopscope::Result<ComparedSteps> Steps =
      comparedSteps(Sides.Before, Sides.After);
  if (!Steps) {
    To.Footer.push_back(fmt::format("The steps: {}.", Steps.error().Message));
    return;
  }
  StepChange Change = stepChange(*Steps, Stages, By);
  if (!Change.AreSteps && By == DiffTest::Spans)
    return;
  Table Parts = stepTable(Change);
  Parts.Preamble = {changeSentence(Change)};
  Parts.Notes = {basisNote()};
  To.Tables.insert(To.Tables.begin(), std::move(Parts));
}

// The mean step along the runs, where both sides have a history.
void addCurves(DiffSides Sides, bool IsTraining, Section &To) {
  std::array<std::optional<HistoryCurves>, 2> Histories;
  for (auto [Runs, Its] : {std::pair(&Sides.Before, &Histories[0]),
                           std::pair(&Sides.After, &Histories[1])}) {
    loopscope::Result<HistoryCurves> Found = historyCurves(
        mergedSide(std::move(*Runs)), SIZE_MAX, CurveBins::WithSteps);
    if (!Found || Found->Bins.size() < 2)
      return;
    *Its = std::move(*Found);
  }
  loopscope::Result<StepCurves> Curves =
      stepCurves(*Histories[0], *Histories[1], IsTraining);
  if (!Curves)
    return;
  To.Tables.push_back(curveTable(*Curves));
  To.Tables.push_back(curveByStepTable(*Curves));
}

// What the page draws.
void addDrawn(DiffSides Sides, const std::vector<StageChange> &Stages,
              const DiffMethod &How, Section &To) {
  loopscope::Result<ComparedSteps> Steps =
      comparedSteps(Sides.Before, Sides.After);
  if (!Steps)
    return;
  StepChange Change = stepChange(*Steps, Stages, How.By);
  To.Tables.push_back(stepTable(Change));
  if (loopscope::Result<StepSpread> Spread = stepSpread(*Steps)) {
    To.Tables.push_back(quantileTable(*Spread));
    To.Tables.push_back(stepTimesTable(*Spread));
  }
  To.Tables.push_back(pathTable(pathChanges(*Steps, Stages, How)));
  if (Change.AreSteps)
    addCurves(std::move(Sides), Change.IsTraining, To);
}

// For people first, because they may be the reason. In json last, where
// programs look for stages; not in csv, whose rows are actions.
void addBesides(DiffSides Sides, const std::vector<StageChange> &Stages,
                const DiffMethod &How, Format As, Table Facts, Section &To) {
  if (As == Format::Json)
    addDrawn(std::move(Sides), Stages, How, To);
  else if (As == Format::Text || As == Format::Markdown)
    addStep(Sides, Stages, How.By, To);
  if (As != Format::Csv && !Facts.Columns.empty())
    To.Tables.insert(As == Format::Json ? To.Tables.end() : To.Tables.begin(),
                     std::move(Facts));
}

// A side's name in reports: its file, directory or command.
std::string nameOf(const std::string &Path,
                   const std::vector<std::string> &Command) {
  return printable(
      Command.empty() ? Path : fmt::format("{}", fmt::join(Command, " ")));
}
} // namespace

int loopscope::runDiff(const DiffRequest &Asked) {
  DiffRequest Request = Asked;
  if (Request.Open || Request.Options.Output == Format::Html) {
    loopscope::Result<std::string> Place = placeOfPage(
        Request.OutputFile, Request.Open, Request.Options.Output, "diff.html");
    if (!Place)
      return fail(Place.error().Message);
    Request.OutputFile = *Place;
    Request.Options.Output = Format::Html;
  }
  loopscope::Result<DiffSides> Sides = sidesOf(Request);
  if (!Sides)
    return fail(Sides.error().Message);
  if (Request.Options.By == Grouping::Key)
    tellKeysApart(*Sides);
  DiffMethod How = {Sides->By, Request.LeastShare};
  std::vector<StageChange> Changes =
      compareRuns(Sides->Before, Sides->After, How);
  Section Diff =
      buildDiff(Changes, How, wantsCpu(Sides->Before, Sides->After, Request));
  std::pair Names(nameOf(Request.Before, Request.Pairs.Before),
                  nameOf(Request.After, Request.Pairs.After));
  if (Sides->AreRanks)
    addRanks(*Sides, Diff);
  Table Facts = factChangeTable(changedFacts(Sides->Before, Sides->After));
  Diff.File = Names.second;
  Diff.Label = "against " + Names.first;
  std::string Text;
  if (Request.Options.Output == Format::Html) {
    loopscope::Result<std::string> Page = diffPage(
        std::move(Sides->Before), std::move(Sides->After), Names,
        {Changes, How, std::move(Diff), std::move(Facts)}, Request.Options);
    if (!Page)
      return fail(Page.error().Message);
    Text = std::move(*Page);
  } else {
    addBesides(std::move(*Sides), Changes, How, Request.Options.Output,
               std::move(Facts), Diff);
    Text =
        print({std::move(Diff)}, Request.Options.Output, Request.Options.Bare,
              terminalOf(Request.OutputFile, Request.Text));
  }
  if (!writeOutput(Text, Request.OutputFile, {Request.Before, Request.After}))
    return Failure;
  if (Request.Open && !openPage(Request.OutputFile))
    return Failure;
  const ActionChange *Worst = worstSlowdown(Changes);
  if (!Request.FailOver || !Worst || *Worst->percent() <= *Request.FailOver)
    return Fine;
  printError(fmt::format("{} got {} slower, more than {:g}%", Worst->Name,
                         threeDigitPercent(*Worst->percent()),
                         *Request.FailOver));
  return Regression;
}

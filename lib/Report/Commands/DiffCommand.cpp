// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads both sides, prints how they differ.

#include "Report/Commands/DiffCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Print/Cells.h"
#include "Report/Views/CpuColumns.h"
#include "Run/CallTree.h"
#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"action", "Action", Style::Text},
    {"before_mean_s", "Mean before", Style::Duration, 2},
    {"after_mean_s", "Mean after", Style::Duration, 1},
    {"change_total_s", "Change of total", Style::Duration},
    {"change_percent", "Change of mean", Style::Percent2},
    {"t", "t", Style::Number, 4},
    {"significant", "Significant", Style::Text}};

// Only where a run has GPU data.
const std::vector<Column> GpuColumns = {
    {"before_gpu_s", "GPU before", Style::Duration, 3},
    {"after_gpu_s", "GPU after", Style::Duration, 3}};

// The columns of views with such figures, before and after.
void addCpuColumns(std::vector<Column> &To) {
  for (const char *Side : {"before", "after"})
    for (Column &Each : cpuColumns(Style::Duration, 5)) {
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

Row rowOf(const ActionChange &Of, bool HasGpu) {
  auto Mean = [](const DiffSide &Side) {
    return Side.RunMeansNs.empty() ? absent()
                                   : seconds(Side.MeanNs / NsPerSecond);
  };
  std::optional<double> Percent = Of.percent();
  Row Result;
  Result.Cells = {
      text(Of.Name),
      Mean(Of.Before),
      Mean(Of.After),
      seconds(Of.totalNs() / NsPerSecond),
      Percent ? real(*Percent, fmt::format("{:+.1f}%", *Percent))
              : absent(Of.Before.RunMeansNs.empty() ? "new" : "gone"),
      Of.Test ? real(Of.Test->T, fmt::format("{:.3g}", Of.Test->T)) : absent(),
      text(!Of.Test                   ? "unknown"
           : Of.Test->isSignificant() ? "yes"
                                      : "no")};
  if (HasGpu)
    for (double Ns : {Of.Before.GpuNs, Of.After.GpuNs})
      Result.Cells.push_back(seconds(Ns / NsPerSecond));
  return Result;
}

// The runs of one side, or why they can't be compared.
Result<std::vector<Run>> readSide(const std::string &Path,
                                  const DiffRequest &Request) {
  std::error_code Failed;
  if (!Request.Runs && std::filesystem::is_directory(Path, Failed))
    return Error{fmt::format("{}: is a directory; with --runs, all profiles in "
                             "it are runs of one side",
                             Path)};
  Result<std::vector<std::string>> Files = expandInputs({Path});
  if (!Files)
    return Files.error();
  std::vector<Run> Runs;
  for (const std::string &File : *Files) {
    Result<Run> From = readInput(File, Request.Options);
    if (!From)
      return From.error();
    addTree(*From);
    From->Stream = {};
    Runs.push_back(std::move(*From));
  }
  if (Request.Runs && Runs.size() < 2)
    return Error{fmt::format("{}: --runs needs a directory with at least two "
                             "runs, and this has one",
                             Path)};
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

Section loopscope::buildDiff(const std::vector<StageChange> &Stages,
                             DiffTest By, bool Cpu) {
  Section Result;
  Result.ViewName = "diff";
  for (const StageChange &Each : Stages) {
    auto Wall = [](double Ns) { return siDuration(Ns / NsPerSecond); };
    Table T;
    T.Id = Each.Of.Id;
    T.Where = {{"stage", Each.Of.Id}};
    T.Title = fmt::format("{}: {} before, {} after", Each.Of.Title,
                          Wall(Each.WallBeforeNs), Wall(Each.WallAfterNs));
    T.Columns = Columns;
    if (Each.HasGpu)
      T.Columns.insert(T.Columns.end(), GpuColumns.begin(), GpuColumns.end());
    if (Cpu)
      addCpuColumns(T.Columns);
    for (const ActionChange &Action : Each.Actions) {
      T.Rows.push_back(rowOf(Action, Each.HasGpu));
      if (!Cpu)
        continue;
      addCpuCells(Action.Before, Each.RunsBefore, T.Rows.back());
      addCpuCells(Action.After, Each.RunsAfter, T.Rows.back());
    }
    Result.Tables.push_back(std::move(T));
  }
  Result.Footer.push_back(
      By == DiffTest::Runs
          ? "Means and totals are means over runs. Significant: Welch's t-test "
            "of the runs' means at 95 %; unknown with fewer than 2 runs on a "
            "side or none of them different."
          : "Significant: Welch's t-test of the means at 95 %; unknown with "
            "fewer than 30 spans on a side or none of them different. It is of "
            "these two runs: --runs tells changes from the spread between "
            "runs.");
  return Result;
}

int loopscope::runDiff(const DiffRequest &Request) {
  loopscope::Result<std::vector<Run>> Before =
      readSide(Request.Before, Request);
  loopscope::Result<std::vector<Run>> After = readSide(Request.After, Request);
  for (const auto *Each : {&Before, &After})
    if (!*Each)
      printError(Each->error().Message);
  if (!Before || !After)
    return Failure;
  DiffTest By = Request.Runs ? DiffTest::Runs : DiffTest::Spans;
  std::vector<StageChange> Changes = compareRuns(*Before, *After, By);
  Section Diff = buildDiff(Changes, By, wantsCpu(*Before, *After, Request));
  Diff.File = printable(Request.After);
  Diff.Label = "against " + printable(Request.Before);
  if (!writeOutput(print({std::move(Diff)}, Request.Options.Output,
                         Request.Options.Bare,
                         terminalOf(Request.OutputFile, Request.Text)),
                   Request.OutputFile, {Request.Before, Request.After}))
    return Failure;
  const ActionChange *Worst = worstSlowdown(Changes);
  if (!Request.FailOver || !Worst || *Worst->percent() <= *Request.FailOver)
    return Fine;
  printError(fmt::format("{} got {:.1f} % slower, more than {:g} %",
                         Worst->Name, *Worst->percent(), *Request.FailOver));
  return Regression;
}

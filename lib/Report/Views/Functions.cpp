// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions view: which functions used each phase's processor time, from
// samples.

#include "Analysis/Samples/FunctionRows.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"
#include "Symbols/Dwarf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"phase", "Phase", Style::Text},
    {"thread", "Thread", Style::Text, 3},
    {"function", "Function", Style::Text},
    {"library", "Library", Style::Text, 4},
    {"file", "File", Style::Text, 6},
    {"line", "Line", Style::Integer, 5},
    {"count", "Samples", Style::Integer, 2},
    {"percent", "Share %", Style::Percent2},
    {"percent_low", "from %", Style::Percent2, 1},
    {"percent_high", "to % (95 %)", Style::Percent2, 1}};

Row rowOf(const FunctionRow &From) {
  Row Next;
  Next.Cells = {text(From.Phase),
                text(From.Thread),
                text(From.Function),
                From.Library.empty() ? absent() : text(From.Library),
                From.File.empty() ? absent() : text(From.File),
                From.Line == 0 ? absent() : count(From.Line),
                count(From.Count),
                real(From.OfPhase.Percent),
                real(From.OfPhase.Low),
                real(From.OfPhase.High)};
  return Next;
}

std::string samplesLine(const StackData &Of, uint64_t Samples) {
  if (Of.CpuNs == 0)
    return fmt::format("{}.", counted(Samples, "sample"));
  double Seconds = static_cast<double>(Of.CpuNs) / NsPerSecond;
  return fmt::format(
      "{} of {} of processor time, one every {}; {} per second were requested.",
      counted(Samples, "sample"), siDuration(Seconds, 3),
      siDuration(Seconds / static_cast<double>(Samples), 3), Of.Hz);
}

// Notes that apply to all tables.
std::vector<std::string> notesOf(const Run &P, const FunctionsResult &Found) {
  std::vector<std::string> Notes = {samplesLine(P.Stacks, Found.Samples)};
  if (P.Stacks.WithoutKernel)
    Notes.push_back("Threads that perf events sampled have no samples of their "
                    "time in the kernel.");
  if (Found.Foreign != 0)
    Notes.push_back(
        fmt::format("(no span): {} of threads that had no span open; they "
                    "count for the phase that the main thread was in.",
                    counted(Found.Foreign, "sample")));
  if (Found.OutsideFiles != 0)
    Notes.push_back(fmt::format("(code of no file): {} in code that was "
                                "compiled at run time or unloaded.",
                                counted(Found.OutsideFiles, "sample")));
  if (Found.Unnamed != 0)
    Notes.push_back(fmt::format("(no symbol): {} in files that name no "
                                "function there.",
                                counted(Found.Unnamed, "sample")));
  if (!Found.Changed.empty())
    Notes.push_back(fmt::format("Changed since the run, so without names: {}.",
                                fmt::join(Found.Changed, ", ")));
  if (!Found.Missing.empty())
    Notes.push_back(
        fmt::format("Without names, because the file is missing here: {}.",
                    fmt::join(Found.Missing, ", ")));
  if (!hasDwarf())
    Notes.push_back("No inlined functions and no lines: libdw (elfutils) "
                    "isn't installed.");
  return Notes;
}

Result<std::vector<Table>> build(const Run &P, const ViewOptions &) {
  if (P.Stacks.Samples.empty())
    return Error{fmt::format("{}: has no samples of stacks; run the program "
                             "with LOOPSCOPE=stacks",
                             P.Path)};
  FunctionsResult Found = functionsOf(P);
  std::vector<Table> Tables;
  for (const StageFunctions &Each : Found.Stages) {
    if (Each.Rows.empty())
      continue;
    Table Next;
    Next.Id = Each.Of.Id;
    Next.Where = {{"stage", Each.Of.Id}};
    Next.Title = "Functions, by samples of processor time";
    if (Found.Stages.size() != 1)
      Next.Title += Each.Of.Kind == LOOPSCOPE_KIND_ROOT
                        ? " outside all stages"
                        : " in stage " + Each.Of.Id;
    Next.Columns = Columns;
    for (const FunctionRow &Row : Each.Rows)
      Next.Rows.push_back(rowOf(Row));
    Tables.push_back(std::move(Next));
  }
  Tables.back().Notes = notesOf(P, Found);
  return Tables;
}
} // namespace

const View loopscope::FunctionsView = {
    .Name = "functions",
    .Help = "functions of each phase, by samples (LOOPSCOPE=stacks)",
    .OfRun = build,
    .Shape = {.NameColumn = 2, .RowsUnlessAsked = ListUnlessAsked},
    .HasStageTables = true,
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions view: which functions used each phase's processor time, from
// samples.

#include "Analysis/Samples/FunctionRows.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/SampleNotes.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"
#include "Symbols/Dwarf.h"

#include <loopscope/run_settings.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace loopscope;

namespace {
const Fields<FunctionRow> FunctionFields = {
    {{"phase", "Phase", Style::Text},
     [](const FunctionRow &Of) { return text(Of.Phase); }},
    {{"thread", "Thread", Style::Text, 3},
     [](const FunctionRow &Of) { return text(Of.Thread); }},
    {{"function", "Function", Style::Text},
     [](const FunctionRow &Of) { return text(Of.Function); }},
    {{"library", "Library", Style::Text, 4},
     [](const FunctionRow &Of) { return textIfKnown(Of.Library); }},
    {{"file", "File", Style::Text, 6},
     [](const FunctionRow &Of) { return textIfKnown(Of.File); }},
    {{"line", "Line", Style::Integer, 5},
     [](const FunctionRow &Of) {
       return Of.Line == 0 ? absent() : count(Of.Line);
     }},
    {{"count", "Samples", Style::Integer, 2},
     [](const FunctionRow &Of) { return count(Of.Count); }},
    {{"percent", "Share %", Style::Percent2},
     [](const FunctionRow &Of) { return real(Of.OfPhase.Percent); }},
    {{"percent_low", "from %", Style::Percent2, 1},
     [](const FunctionRow &Of) {
       return Of.OfPhase.HasInterval ? real(Of.OfPhase.Low) : absent();
     }},
    {{"percent_high", "to % (95%)", Style::Percent2, 1},
     [](const FunctionRow &Of) {
       return Of.OfPhase.HasInterval ? real(Of.OfPhase.High) : absent();
     }}};

std::string samplesLine(const Run &R, uint64_t Samples) {
  const StackData &Of = R.Stacks;
  if (Of.CpuNs == 0)
    return fmt::format("{}.", counted(Samples, "sample"));
  double Seconds = static_cast<double>(Of.CpuNs) / NsPerSecond;
  return fmt::format(
      "{} of {} of CPU time, one every {}; {} per second were requested.",
      counted(Samples, "sample"), readableDuration(Seconds),
      readableDuration(Seconds / static_cast<double>(Samples)),
      R.Given.of(LOOPSCOPE_SETTING_STACKS_HZ));
}

// Notes that apply to all tables.
std::vector<std::string> notesOf(const Run &R, const FunctionsResult &Found) {
  std::vector<std::string> Notes = {samplesLine(R, Found.Samples)};
  if (!Found.HasIntervals)
    Notes.push_back(withoutIntervals(R.Stacks));
  if (R.Stacks.WithoutKernel)
    Notes.push_back("Threads that perf events sampled have no samples of their "
                    "time in the kernel.");
  if (Found.Foreign != 0)
    Notes.push_back(
        fmt::format("(no span): {} of threads that had no span open; they "
                    "count for the phase that the main thread, or else the one "
                    "that trains, was in.",
                    counted(Found.Foreign, "sample")));
  if (Found.OutsideFiles != 0)
    Notes.push_back(fmt::format("(code of no file): {} in code that was "
                                "compiled at run time or unloaded.",
                                counted(Found.OutsideFiles, "sample")));
  if (Found.Unnamed != 0)
    Notes.push_back(fmt::format("(no symbol): {} in files that name no "
                                "function there.",
                                counted(Found.Unnamed, "sample")));
  for (std::string &Each : notesOn(Found.Lost))
    Notes.push_back(std::move(Each));
  if (!hasDwarf())
    Notes.push_back("No inlined functions and no lines: libdw (elfutils) "
                    "isn't installed.");
  return Notes;
}

Result<std::vector<Table>> buildFunctions(const Run &R, const ViewOptions &) {
  if (!R.By->TakesWords)
    return Error{
        fmt::format("{}: {} has no samples of stacks; --view tree has "
                    "the Python functions that with_stack=True records",
                    R.Path, R.By->Noun)};
  if (R.Stacks.Samples.empty())
    return noSamples(R, "LOOPSCOPE=stacks");
  FunctionsResult Found = functionsOf(R);
  std::vector<Table> Tables;
  for (const StageFunctions &Each : Found.Stages) {
    if (Each.Rows.empty())
      continue;
    Table Next;
    Next.Id = Each.Of.Id;
    Next.Where = {{"stage", Each.Of.Id}};
    Next.Title = "Functions, by samples of CPU time";
    if (Found.Stages.size() != 1)
      Next.Title += Each.Of.Kind == LOOPSCOPE_KIND_ROOT
                        ? " outside all stages"
                        : " in stage " + Each.Of.Id;
    Next.Columns = columnsOf(FunctionFields);
    for (const FunctionRow &Row : Each.Rows)
      Next.Rows.push_back({cellsOf(FunctionFields, Row)});
    Tables.push_back(std::move(Next));
  }
  Tables.back().Notes = notesOf(R, Found);
  return Tables;
}
} // namespace

namespace loopscope {
extern const View FunctionsView = {
    .Name = "functions",
    .Help = "functions of each phase, by samples (LOOPSCOPE=stacks)",
    .OfRun = buildFunctions,
    .Shape = {.NameColumn = 2, .RowsUnlessAsked = ListUnlessAsked},
    .HasStageTables = true,
    .OnSamples = true,
};
} // namespace loopscope

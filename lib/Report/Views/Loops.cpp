// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops view: the likely main loop of a program without marks, and the
// calls in it. Everything is from samples, and says so.

#include "Report/Views/Loops.h"

#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/SampleNotes.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"
#include "Support/Paths.h"
#include "Support/Printable.h"
#include "Symbols/Demangle.h"
#include "Symbols/Dwarf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace loopscope;

namespace {
std::string place(const std::string &File, uint32_t Line) {
  if (File.empty())
    return {};
  return Line == 0 ? std::string(fileName(File))
                   : fmt::format("{}:{}", fileName(File), Line);
}

// Template arguments in names longer than this are left out for people.
constexpr size_t MostOfName = 48;

// The text for a function's whole name where people read it.
std::string shortFunction(const std::string &Function) {
  return Function.size() > MostOfName ? withoutArguments(Function) : Function;
}

Cell functionCell(const std::string &Function) {
  std::string Shown = shortFunction(Function);
  return {Function, Shown == Function ? std::string() : Shown};
}

const Fields<LoopPart> SampledParts = {
    {{"function", "Call", Style::Text},
     [](const LoopPart &Of) { return functionCell(partName(Of)); }},
    {{"place", "Place", Style::Text, 3},
     [](const LoopPart &Of) { return textIfKnown(place(Of.File, Of.Line)); }},
    {{"count", "Samples", Style::Integer, 2},
     [](const LoopPart &Of) { return count(Of.Count); }},
    {{"percent", "Share %", Style::Percent2},
     [](const LoopPart &Of) { return real(Of.OfLoop.Percent); }}};

const Fields<LoopPart> PartIntervals = {
    {{"percent_low", "from %", Style::Percent2, 1},
     [](const LoopPart &Of) {
       return Of.OfLoop.HasInterval ? real(Of.OfLoop.Low) : absent();
     }},
    {{"percent_high", "to % (95%)", Style::Percent2, 1},
     [](const LoopPart &Of) {
       return Of.OfLoop.HasInterval ? real(Of.OfLoop.High) : absent();
     }}};

const Fields<LoopPart> CountedParts = {
    {{"calls", "Calls", Style::Integer},
     [](const LoopPart &Of) {
       return Of.Calls && !Of.Calls->EndedEarly ? count(Of.Calls->Count)
                                                : absent();
     }},
    {{"call_interval_s", "One per", Style::Time}, [](const LoopPart &Of) {
       if (!Of.Calls || Of.Calls->Count == 0)
         return absent();
       double Interval =
           toSeconds(Of.Calls->Ns) / static_cast<double>(Of.Calls->Count);
       // Counting took much of a time that ended early.
       return Of.Calls->EndedEarly ? absent("< " + readableDuration(Interval))
                                   : seconds(Interval);
     }}};

const Fields<LoopPart> InsideParts = {
    {{"hottest", "Mostly in", Style::Text, 4, true}, [](const LoopPart &Of) {
       std::vector<std::string> Shown;
       for (const std::string &Each : Of.Hottest)
         if (std::ranges::find(Shown, shortFunction(Each)) == Shown.end())
           Shown.push_back(shortFunction(Each));
       Cell Result =
           textIfKnown(fmt::format("{}", fmt::join(Of.Hottest, ", ")));
       if (Shown != Of.Hottest)
         Result.Text = fmt::format("{}", fmt::join(Shown, ", "));
       return Result;
     }}};

const Fields<HotFunction> Functions = {
    {{"function", "Function", Style::Text},
     [](const HotFunction &Of) { return functionCell(Of.Function); }},
    {{"library", "Library", Style::Text, 3},
     [](const HotFunction &Of) { return textIfKnown(Of.Library); }},
    {{"count", "Samples", Style::Integer, 2},
     [](const HotFunction &Of) { return count(Of.Count); }},
    {{"percent", "Share %", Style::Percent2},
     [](const HotFunction &Of) { return real(Of.OfRun.Percent); }}};

// "the loop in train(), train.cpp:42"
std::string nameOf(const LoopCandidate &Of) {
  std::string Function = fmt::format("{}()", shortFunction(Of.Function));
  if (Of.First != 0)
    return fmt::format(
        "the loop in {}, {}{}", Function, place(Of.File, Of.First),
        Of.PartsIn.empty()
            ? ""
            : fmt::format(", by the calls in {}()", shortFunction(Of.PartsIn)));
  std::string Where = place(Of.File, Of.Line);
  return Where.empty() ? Function : fmt::format("{}, {}", Function, Where);
}

// Where a candidate runs, if that isn't the main thread.
std::string threadOf(const LoopCandidate &Of) {
  return Of.Threads == "main"
             ? ""
             : fmt::format(" It runs on threads that start in {}().",
                           shortFunction(Of.Threads));
}

// The lines of the loops around it, whose passes may be what is wanted.
std::string outerLoopsOf(const LoopCandidate &Of) {
  if (Of.Outer.empty())
    return "";
  std::vector<uint32_t> Lines;
  for (const OuterLoop &Each : Of.Outer)
    Lines.push_back(Each.First);
  return fmt::format(" It is inside the {} {}.",
                     Lines.size() == 1 ? "loop at line" : "loops at lines",
                     fmt::join(Lines, ", "));
}

// The first counted call; null if none was.
const CallCount *firstCount(const SampledProgram &Of) {
  for (const LoopCandidate &Each : Of.Candidates)
    for (const LoopPart &Part : Each.Parts)
      if (Part.Calls)
        return &*Part.Calls;
  return nullptr;
}

// People see no columns in which nothing is.
Fields<LoopPart> partFields(bool WithIntervals, bool WithCounts) {
  Fields<LoopPart> Result = SampledParts;
  auto Add = [&](const Fields<LoopPart> &More) {
    Result.insert(Result.end(), More.begin(), More.end());
  };
  if (WithIntervals)
    Add(PartIntervals);
  if (WithCounts)
    Add(CountedParts);
  Add(InsideParts);
  return Result;
}

Table loopTable(const LoopCandidate &Of, const Fields<LoopPart> &Parts,
                const char *Loop, size_t Index) {
  Table Result;
  Result.Id = fmt::format("candidate_{}", Index + 1);
  Result.Where = {{"table", Result.Id}};
  const char *What = Of.First == 0 ? "The time splits in" : Loop;
  Result.Title =
      fmt::format("{} {} ({:.1f}% of all samples).{}{}", What, nameOf(Of),
                  Of.OfRun.Percent, outerLoopsOf(Of), threadOf(Of));
  Result.Columns = columnsOf(Parts);
  for (const LoopPart &Each : Of.Parts)
    Result.Rows.push_back({cellsOf(Parts, Each)});
  return Result;
}

std::string countsLine(const CallCount &Of) {
  std::string Time = readableDuration(toSeconds(Of.Ns));
  return Of.EndedEarly
             ? fmt::format("Calls happen too often to count them all without "
                           "slowing the program down. They happen more often "
                           "than once per the time shown, which is from a look "
                           "of {} that slowed it.",
                           Time)
             : fmt::format("Calls are counted, not sampled, by breakpoints of "
                           "the CPU, for the last {} of the run.",
                           Time);
}

// Why no loop is named, and what of the project's own code stands for it.
std::string headersLine(const SampledProgram &Of) {
  auto Percent = [&](uint64_t Samples) {
    return 100 * static_cast<double>(Samples) / static_cast<double>(Of.Samples);
  };
  std::string Line = fmt::format(
      "No loop was found. The system's headers aren't searched, and {:.1f}% "
      "of all samples are in code of {} or in what it calls.",
      Percent(Of.InHeaders), Of.Headers);
  if (const OutsideCall &From = Of.HeadersFrom; From.Line != 0)
    Line += fmt::format(
        " The call of {}() at {} has {:.1f}%; a mark there times it as a "
        "whole.",
        withoutArguments(From.Function), place(From.File, From.Line),
        Percent(Of.FromThere));
  return Line;
}

// Notes on how far the samples can be trusted.
void addDoubts(const Run &R, const SampledProgram &Of,
               std::vector<std::string> &Notes) {
  if (!Of.HasIntervals)
    Notes.push_back(withoutIntervals(R.Stacks));
  if (100 * Of.Serving > Of.Samples)
    Notes.push_back(fmt::format("Threads that OpenMP and the like started "
                                "aren't searched for loops; they "
                                "have {:.1f}% of all samples.",
                                100 * static_cast<double>(Of.Serving) /
                                    static_cast<double>(Of.Samples)));
  if (Of.lacksSamples())
    Notes.push_back(fmt::format(
        "This much CPU time should have some {} samples. Those missing are of "
        "{}threads that ended soon after they began{}, so shares may be wrong.",
        Of.Expected, R.Stacks.WithoutKernel ? "time in the kernel or of " : "",
        R.Stacks.AtTicks != 0 ? " or gave a CPU up before a tick" : ""));
  if (R.Stacks.WithoutKernel)
    Notes.push_back("Some threads have no samples of their time in the "
                    "kernel.");
  uint64_t Cut = Of.Samples - Of.Whole;
  if (100 * Cut > Of.Samples)
    Notes.push_back(fmt::format(
        "{} of {} don't reach the start of their thread, so their callers are "
        "missing.",
        counted(Cut, "sample"), counted(Of.Samples, "sample")));
  if (100 * Of.Guessed > Of.Samples)
    Notes.push_back(fmt::format(
        "{} in code without unwind tables, where callers were guessed.",
        Of.Guessed == 1 ? "1 sample was"
                        : fmt::format("{} samples were", Of.Guessed)));
  if (std::any_of(R.Stacks.Objects.begin(), R.Stacks.Objects.end(),
                  [](const CodeObject &Each) {
                    return fileName(Each.Path).find("python") !=
                           std::string::npos;
                  }))
    Notes.push_back("Functions of Python don't show, only those of its "
                    "interpreter and of libraries; py-spy shows them.");
  for (std::string &Each : notesOn(Of.Lost))
    Notes.push_back(std::move(Each));
  if (!hasDwarf())
    Notes.push_back("No inlined functions and no lines: libdw (elfutils) "
                    "isn't installed.");
  else if (!Of.HasLines && !Of.Lost.contains(R.Program))
    Notes.push_back("The program has no debug information, so there are no "
                    "lines and no loops: build it with -g to see them.");
}

Result<std::vector<Table>> buildLoops(const Run &R,
                                      const ViewOptions &Options) {
  if (!R.By->TakesWords)
    return Error{fmt::format("{}: {} has no samples of stacks; --view steps "
                             "has the steps of its loop",
                             R.Path, R.By->Noun)};
  if (R.Stacks.Samples.empty())
    return noSamples(R, "LOOPSCOPE=stacks or `loopscope run`");
  return loopTables(R, sampledProgram(R),
                    Options.Output == Format::Csv ||
                        Options.Output == Format::Json);
}
} // namespace

std::string loopscope::partName(const LoopPart &Of) {
  return Of.Function.empty() ? "(its own code)" : Of.Function;
}

std::string loopscope::samplesLine(const Run &R, const SampledProgram &Of) {
  std::string Line = "Sampled, not measured: " + counted(Of.Samples, "sample");
  if (R.Stacks.CpuNs != 0)
    Line += fmt::format(
        " of {} of CPU time",
        readableDuration(toSeconds(static_cast<int64_t>(R.Stacks.CpuNs))));
  Line += fmt::format(" in {}.", counted(Of.Threads, "thread"));
  return Line;
}

std::string loopscope::measureLine(const Run &R, const SampledProgram &Of) {
  if (Of.likeliestLoop() == nullptr || R.IsMerged)
    return {};
  return fmt::format(
      "To measure these calls exactly: loopscope suggest {} -o loops.yaml",
      shellQuoted(R.Path));
}

std::vector<Table> loopscope::loopTables(const Run &R, const SampledProgram &Of,
                                         bool ForPrograms) {
  const CallCount *Counted = firstCount(Of);
  Fields<LoopPart> Parts = partFields(Of.HasIntervals || ForPrograms,
                                      Counted != nullptr || ForPrograms);
  const char *First =
      Of.lacksMostSamples() ? "Loop with most samples:" : "Likely main loop:";
  std::vector<Table> Tables;
  for (const LoopCandidate &Each : Of.Candidates)
    Tables.push_back(loopTable(
        Each, Parts,
        Tables.empty() ? First : "Another candidate:", Tables.size()));
  Table Hot;
  Hot.Id = "hottest";
  Hot.Where = {{"table", Hot.Id}};
  Hot.Title = "Hottest functions";
  Hot.Columns = columnsOf(Functions);
  constexpr size_t MostHot = 10;
  for (const HotFunction &Each : Of.Hottest) {
    if (Hot.Rows.size() == MostHot)
      break;
    Hot.Rows.push_back({cellsOf(Functions, Each)});
  }
  Tables.push_back(std::move(Hot));
  Tables.front().Counts = {{"samples", Of.Samples},
                           {"whole_samples", Of.Whole},
                           {"guessed_samples", Of.Guessed},
                           {"threads", Of.Threads}};
  std::vector<std::string> &Notes = Tables.back().Notes;
  Notes.push_back(samplesLine(R, Of));
  if (Counted != nullptr)
    Notes.push_back(countsLine(*Counted));
  if (Of.Candidates.empty() && Of.InHeaders != 0)
    Notes.push_back(headersLine(Of));
  else if (Of.Candidates.empty())
    Notes.push_back("No loop stands out: the time doesn't split over several "
                    "calls of one function.");
  addDoubts(R, Of, Notes);
  if (std::string Line = measureLine(R, Of); !Line.empty())
    Notes.push_back(std::move(Line));
  return Tables;
}

namespace loopscope {
extern const View LoopsView = {
    .Name = "loops",
    .Help = "the likely main loop of a program without marks, by samples",
    .OfRun = buildLoops,
    .Shape = {.Sorts = false, .MixedColumns = true},
    .OnPage = false,
    .OnSamples = true,
};
} // namespace loopscope

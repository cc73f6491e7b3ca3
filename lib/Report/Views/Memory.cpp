// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory view: what each step held of memory, the highest peak first.

#include "Analysis/Device/MemoryOfSteps.h"
#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
struct StepRow {
  const StepMemory &Of;
  std::string Step;
  std::string Lane;
};

// What a step left behind, or freed of what was there before.
Cell change(const StepMemory &Of) {
  bool Grew = Of.EndBytes >= Of.StartBytes;
  uint64_t By =
      Grew ? Of.EndBytes - Of.StartBytes : Of.StartBytes - Of.EndBytes;
  auto Signed = static_cast<int64_t>(By);
  return {Grew ? Signed : -Signed, (By == 0 ? ""
                                    : Grew  ? "+"
                                            : "-") +
                                       siBytes(By)};
}

const Fields<StepRow> MemoryColumns = {
    {{"step", "Step", Style::Text},
     [](const StepRow &R) { return text(R.Step); }},
    {{"memory", "Memory", Style::Text},
     [](const StepRow &R) { return text(R.Lane); }},
    {{"peak_bytes", "Peak", Style::Integer},
     [](const StepRow &R) { return size(R.Of.PeakBytes); }},
    {{"peak_in", "Peak in", Style::Text, 0, true},
     [](const StepRow &R) { return textIfKnown(R.Of.PeakIn); }},
    {{"start_bytes", "At its start", Style::Integer, 2},
     [](const StepRow &R) { return size(R.Of.StartBytes); }},
    {{"change_bytes", "At its end", Style::Integer},
     [](const StepRow &R) { return change(R.Of); }},
    {{"allocated_bytes", "Allocated", Style::Integer, 3},
     [](const StepRow &R) { return size(R.Of.AllocatedBytes); }},
    {{"freed_bytes", "Freed", Style::Integer, 4},
     [](const StepRow &R) { return size(R.Of.FreedBytes); }},
    {{"unused_bytes", "Unused", Style::Integer, 1}, [](const StepRow &R) {
       return R.Of.UnusedBytes == 0 ? absent() : size(R.Of.UnusedBytes);
     }}};

// Why memory by step is missing.
std::string whyNone(const Figures &Of) {
  const RunInfo &About = Of.About;
  if (About.By->RunsPython)
    return "the trace lacks memory; record it with profile_memory=True";
  if (!About.By->TakesWords)
    return "exported traces lack memory by step; report the profile";
  if (Of.Held.IsMerged)
    return "memory by step is of one process: leave out --merge";
  if (About.Mode != LOOPSCOPE_MODE_TRACE)
    return "memory by step needs single steps: run with LOOPSCOPE=trace";
  if (!Of.GpuNote.empty())
    return "the run recorded no memory: " + Of.GpuNote;
  return "the run recorded no operation on GPU memory (gpu=on in LOOPSCOPE "
         "says why)";
}

void addNotes(const Figures &Of, Table &To) {
  const MemoryOfSteps &Held = Of.Held;
  To.Notes.emplace_back(
      "Peak: the most that the program held in the step, and what allocated "
      "then. At its end: against its start. Unused: the most that memory pools "
      "or an allocator kept for later, beyond what was held.");
  for (const MemoryGrowth &Each : Held.Growths)
    To.Notes.push_back(fmt::format(
        "{}: at the end of each of the last {} steps, no less was held than at "
        "the end of the step before, and {} more in all: {} per step.",
        Held.Lanes[Each.Lane], Each.Steps, siBytes(Each.Bytes),
        siBytes(Each.Bytes / Each.Steps)));
  if (Held.Unknown != 0)
    To.Notes.push_back(
        fmt::format("{} left out: newer operations on memory took the places "
                    "of theirs in the timeline; raise cap= to keep more.",
                    counted(Held.Unknown, "step")));
}

Result<std::vector<Table>> buildMemory(const Figures &Of,
                                       const ViewOptions & /*Options*/) {
  const MemoryOfSteps &Held = Of.Held;
  if (Held.Lanes.empty())
    return Error{fmt::format("{}: {}", Of.About.Path, whyNone(Of))};
  if (Held.Rows.empty())
    return Error{fmt::format("{}: no step has its memory", Of.About.Path)};
  std::vector<const StepMemory *> Order;
  for (const StepMemory &Each : Held.Rows)
    Order.push_back(&Each);
  std::ranges::stable_sort(Order, std::ranges::greater(),
                           &StepMemory::PeakBytes);
  Table T;
  T.Id = "memory";
  T.Title = "Memory by Step";
  T.Columns = columnsOf(MemoryColumns);
  for (const StepMemory *Each : Order)
    T.Rows.push_back(
        {cellsOf(MemoryColumns, StepRow{*Each, Held.Steps[Each->Step],
                                        Held.Lanes[Each->Lane]})});
  addNotes(Of, T);
  return std::vector<Table>{std::move(T)};
}
} // namespace

namespace loopscope {
extern const View MemoryView = {
    .Name = "memory",
    .Help = "what each step held of memory, and left behind (LOOPSCOPE=trace)",
    .OfFigures = buildMemory,
    .Shape = {.RowsUnlessAsked = ListUnlessAsked},
    .Reads = [](const ViewOptions &) { return WithTimeline::Outermost; },
    .Parts =
        [](const ViewOptions &) {
          return FigureParts{.Operators = false,
                             .SelfHostTime = false,
                             .Kernels = false,
                             .Time = false};
        },
};
} // namespace loopscope

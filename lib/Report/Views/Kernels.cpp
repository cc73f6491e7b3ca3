// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels view: device functions, copies and sets with their bandwidth, and
// memory.

#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Cells.h"
#include "Report/Print/TensorBoardJson.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

namespace loopscope {
namespace {

Column busyColumn() { return {"busy_s", "Busy", Style::Duration, 2}; }

Cell busy(int64_t Ns) { return Ns < 0 ? absent() : duration(Ns); }

template <typename T> bool knowsBusy(const std::vector<T> &Rows) {
  return std::any_of(Rows.begin(), Rows.end(),
                     [](const T &Each) { return Each.Busy >= 0; });
}

// What unions mean beside sums, and which rows lack them.
template <typename T>
std::string busyNote(const std::vector<T> &Rows, const char *What) {
  auto Unknown = static_cast<uint64_t>(std::count_if(
      Rows.begin(), Rows.end(), [](const T &Each) { return Each.Busy < 0; }));
  if (Unknown == Rows.size())
    return fmt::format("Durations of {} that ran at once add up; this profile "
                       "doesn't have how long at least one ran.",
                       What);
  std::string Note = fmt::format(
      "Busy: how long at least one ran, while durations of {} that ran at once "
      "add up.",
      What);
  if (Unknown != 0)
    Note += fmt::format(" The profile doesn't have it for {}.",
                        counted(Unknown, "row"));
  return Note;
}

Table kernelTable(const std::vector<KernelRow> &Rows, bool ByPhase) {
  auto Knows = [&](double KernelRow::*Figure) {
    return std::any_of(Rows.begin(), Rows.end(), [&](const KernelRow &Each) {
      return Each.*Figure >= 0;
    });
  };
  bool HasBusy = knowsBusy(Rows);
  bool HasBlocks = Knows(&KernelRow::BlocksPerSm);
  bool HasOccupancy = Knows(&KernelRow::Occupancy);
  bool HasGraphs =
      std::any_of(Rows.begin(), Rows.end(),
                  [](const KernelRow &Each) { return !Each.MadeIn.empty(); });
  Table Out;
  Out.Id = "kernels";
  Out.Title = "Kernels";
  Out.Columns = {{"name", "Name", Style::Text}};
  if (ByPhase)
    Out.Columns.push_back({"phase", "Phase", Style::Text});
  if (HasGraphs)
    Out.Columns.push_back({"made_in", "Graph node of", Style::Text});
  for (const Column &Each :
       {Column{"calls", "Calls", Style::Integer},
        Column{"total_s", "Total Duration", Style::Duration},
        Column{"mean_s", "Mean Duration", Style::Duration, 1},
        Column{"max_s", "Max Duration", Style::Duration, 5},
        Column{"min_s", "Min Duration", Style::Duration, 6}})
    Out.Columns.push_back(Each);
  if (HasBusy)
    Out.Columns.insert(Out.Columns.end() - 3, busyColumn());
  if (HasBlocks)
    Out.Columns.push_back(
        {"mean_blocks_per_sm", "Blocks/SM", Style::Number, 4});
  if (HasOccupancy)
    Out.Columns.push_back(
        {"mean_occupancy_percent", "Occupancy (%)", Style::Number, 3});
  Out.Columns.push_back({"tensor_cores", "Tensor Cores", Style::Text, 2});
  uint64_t Untimed = 0;
  for (const KernelRow &Each : Rows) {
    uint64_t Timed = Each.Calls - Each.Untimed;
    Untimed += Each.Untimed;
    Row Next;
    Next.Cells = {text(kernelName(Each.Name))};
    if (ByPhase)
      Next.Cells.push_back(text(Each.Phase));
    if (HasGraphs)
      Next.Cells.push_back(Each.MadeIn.empty() ? absent() : text(Each.MadeIn));
    Next.Cells.insert(Next.Cells.end(),
                      {count(Each.Calls), duration(Each.Total)});
    if (HasBusy)
      Next.Cells.push_back(busy(Each.Busy));
    Next.Cells.insert(Next.Cells.end(),
                      {Timed == 0
                           ? absent()
                           : seconds(static_cast<double>(Each.Total) /
                                     static_cast<double>(Timed) / NsPerSecond),
                       duration(Each.Longest), duration(Each.Shortest)});
    for (auto [Shown, Value] : {std::pair(HasBlocks, Each.BlocksPerSm),
                                std::pair(HasOccupancy, Each.Occupancy)})
      if (Shown)
        Next.Cells.push_back(Value < 0 ? absent() : real(Value));
    Next.Cells.push_back(text(usesTensorCores(Each.Name) ? "yes" : "no"));
    Out.Rows.push_back(std::move(Next));
  }
  if (!Rows.empty())
    Out.Notes.push_back(busyNote(Rows, "kernels"));
  Out.Notes.push_back(
      "Blocks per SM and estimated achieved occupancy are means weighted by "
      "duration; tensor cores go by the kernel's name.");
  if (HasGraphs)
    Out.Notes.push_back("The phase is the one that launched; the graph node's "
                        "is the one that captured or built it.");
  if (Untimed != 0)
    Out.Notes.push_back(
        fmt::format("{} without a time stamp: in no duration and no mean.",
                    counted(Untimed, "call")));
  return Out;
}

Table copyTable(const std::vector<CopyRow> &Rows, bool ByPhase) {
  bool HasBusy = knowsBusy(Rows);
  Table Out;
  Out.Id = "copies";
  Out.Title = "Copies and sets";
  Out.Columns = {{"name", "Direction", Style::Text}};
  if (ByPhase)
    Out.Columns.push_back({"phase", "Phase", Style::Text});
  for (const Column &Each :
       {Column{"calls", "Calls", Style::Integer, 1},
        Column{"total_s", "Total Duration", Style::Duration},
        Column{"mean_s", "Mean Duration", Style::Duration, 3},
        Column{"bytes", "Bytes", Style::Integer, 2},
        Column{"bandwidth_gb_per_s", "Bandwidth (GB/s)", Style::Number}})
    Out.Columns.push_back(Each);
  if (HasBusy)
    Out.Columns.insert(Out.Columns.end() - 3, busyColumn());
  for (const CopyRow &Of : Rows) {
    Row Next;
    Next.Cells = {text(Of.What)};
    if (ByPhase)
      Next.Cells.push_back(text(Of.Phase));
    auto Ns = static_cast<double>(Of.Ns);
    auto Bytes = static_cast<double>(Of.Bytes);
    Next.Cells.insert(Next.Cells.end(), {count(Of.Count), duration(Of.Ns)});
    if (HasBusy)
      Next.Cells.push_back(busy(Of.Busy));
    Next.Cells.insert(
        Next.Cells.end(),
        {seconds(Of.Count == 0
                     ? 0
                     : Ns / static_cast<double>(Of.Count) / NsPerSecond),
         count(Of.Bytes),
         // Bytes per nanosecond are GB per second.
         Of.Ns > 0 ? real(Bytes / Ns, fmt::format("{:.4g}", Bytes / Ns))
                   : absent()});
    Out.Rows.push_back(std::move(Next));
  }
  Out.Notes.push_back(busyNote(Rows, "copies and sets"));
  return Out;
}

Cell size(uint64_t Bytes) {
  return Cell{static_cast<int64_t>(Bytes), siBytes(Bytes)};
}

Table memoryTable(const MemoryRows &Memory, bool ByPhase) {
  Table Out;
  Out.Id = "memory";
  Out.Title = "Memory";
  Out.Columns = {{"device", "On", Style::Text},
                 {"memory", "Memory", Style::Text}};
  if (ByPhase)
    Out.Columns.push_back({"phase", "Phase", Style::Text});
  for (const Column &Each :
       {Column{"allocations", "Allocations", Style::Integer},
        Column{"allocated_bytes", "Allocated", Style::Integer, 2},
        Column{"frees", "Frees", Style::Integer, 3},
        Column{"freed_bytes", "Freed", Style::Integer, 4},
        Column{"peak_bytes", "Peak", Style::Integer}})
    Out.Columns.push_back(Each);
  for (const MemoryRow &Of : Memory.Rows) {
    Row Next;
    Next.Cells = {text(Of.Place), text(Of.Kind)};
    if (ByPhase)
      Next.Cells.push_back(text(Of.Phase));
    Next.Cells.insert(Next.Cells.end(),
                      {count(Of.Allocations), size(Of.Bytes), count(Of.Frees),
                       size(Of.FreedBytes),
                       Of.Allocations == 0 ? absent() : size(Of.Peak)});
    Out.Rows.push_back(std::move(Next));
  }
  Out.Notes.push_back("Peak: the most of this memory that the program held "
                      "when the row allocated.");
  Out.Notes.insert(Out.Notes.end(), Memory.Peaks.begin(), Memory.Peaks.end());
  return Out;
}

Result<std::vector<Table>> build(const Figures &Of,
                                 const ViewOptions &Options) {
  if (Of.About.From == Origin::Kineto && Of.Kernels.empty())
    return Error{fmt::format("{}: the trace has no kernel; record it with "
                             "ProfilerActivity.CUDA",
                             Of.About.Path)};
  if (Of.Kernels.empty() && Of.Copies.empty() && Of.Memory.Rows.empty())
    return Error{fmt::format(
        "{}: the run recorded no GPU work{}", Of.About.Path,
        Of.GpuNote.empty() ? std::string(" (gpu=on in LOOPSCOPE says why)")
                           : ": " + Of.GpuNote)};
  std::vector<Table> Out = {
      kernelTable(Of.Kernels, Options.By == Grouping::Phase)};
  if (!Of.Copies.empty())
    Out.push_back(copyTable(Of.Copies, Options.By == Grouping::Phase));
  if (!Of.Memory.Rows.empty())
    Out.push_back(memoryTable(Of.Memory, Options.By == Grouping::Phase));
  for (Table &Each : Out)
    Each.Where = {{"table", Each.Id}};
  return Out;
}

} // namespace

const View KernelsView = {
    .Name = "kernels",
    .Help = "device functions, copies and memory, or by launching phase",
    .OfFigures = build,
    .Shape = {.FirstOnly = true},
    .Parts =
        [](const ViewOptions &Options) {
          return FigureParts{.Operators = false,
                             .SelfHostTime = false,
                             .Steps = false,
                             .ByPhase = Options.By == Grouping::Phase};
        },
    .Document =
        [](const Figures &Of) { return tensorBoardKernels(Of.Kernels); },
    .Groups = {Grouping::Phase},
};

} // namespace loopscope

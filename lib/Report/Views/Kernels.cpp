// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels view: device functions, copies and memsets with their bandwidth,
// and memory.

#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Print/TensorBoardJson.h"
#include "Report/Views/View.h"
#include "Run/Model/KnownNames.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

namespace loopscope {
namespace {

// The phase that launched, with --by phase.
template <typename T> void addPhase(bool ByPhase, Fields<T> &To) {
  if (ByPhase)
    To.push_back({{"phase", "Phase", Style::Text},
                  [](const T &Of) { return text(Of.Phase); }});
}

template <typename T> bool knowsBusy(const std::vector<T> &Rows) {
  return std::any_of(Rows.begin(), Rows.end(),
                     [](const T &Each) { return Each.Busy >= 0; });
}

// How long at least one ran, if any row has that.
template <typename T> void addBusy(const std::vector<T> &Rows, Fields<T> &To) {
  if (knowsBusy(Rows))
    To.push_back({{"busy_s", "Busy", Style::Time, 2}, [](const T &Of) {
                    return Of.Busy < 0 ? absent() : duration(Of.Busy);
                  }});
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

// Calls without a time stamp are in no mean.
Cell meanDuration(const KernelRow &Of) {
  uint64_t Timed = Of.Calls - Of.Untimed;
  return Timed == 0 ? absent()
                    : seconds(static_cast<double>(Of.Total) /
                              static_cast<double>(Timed) / NsPerSecond);
}

// A figure that some rows have.
void addFigure(const std::vector<KernelRow> &Rows, Column Shown,
               double KernelRow::*Figure, Fields<KernelRow> &To) {
  auto Has = [=](const KernelRow &Of) { return Of.*Figure >= 0; };
  if (std::any_of(Rows.begin(), Rows.end(), Has))
    To.push_back({std::move(Shown), [=](const KernelRow &Of) {
                    return Has(Of) ? real(Of.*Figure) : absent();
                  }});
}

Fields<KernelRow> kernelFields(const std::vector<KernelRow> &Rows, bool ByPhase,
                               bool HasGraphs, bool HasTensorCores) {
  Fields<KernelRow> Result = {
      {{"name", "Name", Style::Text},
       [](const KernelRow &Of) { return text(kernelName(Of.Name)); }}};
  addPhase(ByPhase, Result);
  if (HasGraphs)
    Result.push_back(
        {{"made_in", "Graph node of", Style::Text}, [](const KernelRow &Of) {
           return Of.MadeIn.empty() ? absent() : text(Of.MadeIn);
         }});
  Result.push_back({{"calls", "Calls", Style::Integer},
                    [](const KernelRow &Of) { return count(Of.Calls); }});
  Result.push_back({{"total_s", "Total Duration", Style::Time},
                    [](const KernelRow &Of) { return duration(Of.Total); }});
  addBusy(Rows, Result);
  Result.push_back({{"mean_s", "Mean Duration", Style::Time, 1}, meanDuration});
  Result.push_back({{"max_s", "Max Duration", Style::Time, 5},
                    [](const KernelRow &Of) { return duration(Of.Longest); }});
  Result.push_back({{"min_s", "Min Duration", Style::Time, 6},
                    [](const KernelRow &Of) { return duration(Of.Shortest); }});
  addFigure(Rows, {"mean_blocks_per_sm", "Blocks/SM", Style::Number, 4},
            &KernelRow::BlocksPerSm, Result);
  addFigure(Rows, {"mean_occupancy_percent", "Occupancy (%)", Style::Number, 3},
            &KernelRow::Occupancy, Result);
  if (HasTensorCores)
    Result.push_back({{"tensor_cores", "Tensor Cores", Style::Text, 2},
                      [](const KernelRow &Of) {
                        if (isWholeGraph(Of.Name))
                          return absent();
                        return text(usesTensorCores(Of.Name) ? "yes" : "no");
                      }});
  return Result;
}

Table kernelTable(const std::vector<KernelRow> &Rows, bool ByPhase,
                  bool HasTensorCores) {
  bool HasGraphs =
      std::any_of(Rows.begin(), Rows.end(),
                  [](const KernelRow &Each) { return !Each.MadeIn.empty(); });
  Table Out;
  Out.Id = "kernels";
  Out.Title = "Kernels";
  Fields<KernelRow> Shown =
      kernelFields(Rows, ByPhase, HasGraphs, HasTensorCores);
  Out.Columns = columnsOf(Shown);
  uint64_t Untimed = 0;
  for (const KernelRow &Each : Rows) {
    Untimed += Each.Untimed;
    Out.Rows.push_back({cellsOf(Shown, Each)});
  }
  if (!Rows.empty())
    Out.Notes.push_back(busyNote(Rows, "kernels"));
  Out.Notes.push_back(fmt::format(
      "Blocks per SM and estimated achieved occupancy are means weighted by "
      "duration{}.",
      HasTensorCores ? "; tensor cores go by the kernel's name" : ""));
  if (HasGraphs)
    Out.Notes.push_back("The phase is the one that launched; the graph node's "
                        "is the one that captured or built it.");
  if (std::ranges::any_of(
          Rows, [](const KernelRow &Of) { return isWholeGraph(Of.Name); }))
    Out.Notes.emplace_back(
        LOOPSCOPE_GPU_WHOLE_GRAPH
        ": all kernels of a graph's launch. They were recorded as a whole, so "
        "their names, blocks and occupancy aren't known.");
  if (Untimed != 0)
    Out.Notes.push_back(
        fmt::format("{} without a time stamp: in no duration and no mean.",
                    counted(Untimed, "call")));
  return Out;
}

// Bytes per nanosecond are GB per second.
Cell bandwidthOf(const CopyRow &Of) {
  if (Of.Ns <= 0)
    return absent();
  double Rate = static_cast<double>(Of.Bytes) / static_cast<double>(Of.Ns);
  return real(Rate, fmt::format("{:.4g}", Rate));
}

Table copyTable(const std::vector<CopyRow> &Rows, bool ByPhase) {
  Fields<CopyRow> Shown = {{{"name", "Direction", Style::Text},
                            [](const CopyRow &Of) { return text(Of.What); }}};
  addPhase(ByPhase, Shown);
  Shown.push_back({{"calls", "Calls", Style::Integer, 1},
                   [](const CopyRow &Of) { return count(Of.Count); }});
  Shown.push_back({{"total_s", "Total Duration", Style::Time},
                   [](const CopyRow &Of) { return duration(Of.Ns); }});
  addBusy(Rows, Shown);
  Shown.push_back(
      {{"mean_s", "Mean Duration", Style::Time, 3}, [](const CopyRow &Of) {
         return seconds(Of.Count == 0
                            ? 0
                            : static_cast<double>(Of.Ns) /
                                  static_cast<double>(Of.Count) / NsPerSecond);
       }});
  Shown.push_back({{"bytes", "Bytes", Style::Integer, 2},
                   [](const CopyRow &Of) { return count(Of.Bytes); }});
  Shown.push_back(
      {{"bandwidth_gb_per_s", "Bandwidth (GB/s)", Style::Number}, bandwidthOf});
  Table Out;
  Out.Id = "copies";
  Out.Title = "Copies and memsets";
  Out.Columns = columnsOf(Shown);
  for (const CopyRow &Of : Rows)
    Out.Rows.push_back({cellsOf(Shown, Of)});
  Out.Notes.push_back(busyNote(Rows, "copies and memsets"));
  return Out;
}

Table memoryTable(const MemoryRows &Memory, bool ByPhase) {
  using Of = const MemoryRow &;
  Fields<MemoryRow> Shown = {
      {{"device", "On", Style::Text}, [](Of R) { return text(R.Place); }},
      {{"memory", "Memory", Style::Text}, [](Of R) { return text(R.Kind); }}};
  addPhase(ByPhase, Shown);
  Fields<MemoryRow> Figures = {
      {{"allocations", "Allocations", Style::Integer},
       [](Of R) { return count(R.Allocations); }},
      {{"allocated_bytes", "Allocated", Style::Integer, 2},
       [](Of R) { return size(R.Bytes); }},
      {{"frees", "Frees", Style::Integer, 3},
       [](Of R) { return count(R.Frees); }},
      {{"freed_bytes", "Freed", Style::Integer, 4},
       [](Of R) { return size(R.FreedBytes); }},
      {{"peak_bytes", "Peak", Style::Integer},
       [](Of R) { return R.Allocations == 0 ? absent() : size(R.Peak); }},
      {{"held_at_peak_bytes", "Of GPU's peak", Style::Integer, 1},
       [](Of R) { return R.HeldAtPeak == 0 ? absent() : size(R.HeldAtPeak); }}};
  Shown.insert(Shown.end(), Figures.begin(), Figures.end());
  Table Out;
  Out.Id = "memory";
  Out.Title = "Memory";
  Out.Columns = columnsOf(Shown);
  for (const MemoryRow &Each : Memory.Rows)
    Out.Rows.push_back({cellsOf(Shown, Each)});
  Out.Notes.push_back("Peak: the most of this memory that the program held "
                      "when the row allocated. Of GPU's peak: what it held "
                      "of the row's allocations when it held most of the GPU's "
                      "own memory.");
  Out.Notes.insert(Out.Notes.end(), Memory.Peaks.begin(), Memory.Peaks.end());
  return Out;
}

Result<std::vector<Table>> buildKernels(const Figures &Of,
                                        const ViewOptions &Options) {
  if (!Of.About.By->TakesWords && Of.Kernels.empty())
    return Error{fmt::format("{}: the trace has no kernel; record it with "
                             "ProfilerActivity.CUDA",
                             Of.About.Path)};
  if (Of.Kernels.empty() && Of.Copies.empty() && Of.Memory.Rows.empty())
    return Error{fmt::format(
        "{}: the run recorded no GPU work{}", Of.About.Path,
        Of.GpuNote.empty() ? std::string(" (gpu=on in LOOPSCOPE says why)")
                           : ": " + Of.GpuNote)};
  std::vector<Table> Out = {kernelTable(
      Of.Kernels, isByPhase(Options), mayHaveTensorCores(Of.About.Properties))};
  if (!Of.Copies.empty())
    Out.push_back(copyTable(Of.Copies, isByPhase(Options)));
  if (!Of.Memory.Rows.empty())
    Out.push_back(memoryTable(Of.Memory, isByPhase(Options)));
  for (Table &Each : Out)
    Each.Where = {{"table", Each.Id}};
  return Out;
}

} // namespace

extern const View KernelsView = {
    .Name = "kernels",
    .Help =
        "device functions, copies and memory, or by launching phase and key",
    .OfFigures = buildKernels,
    .Shape = {.FirstOnly = true},
    .Parts =
        [](const ViewOptions &Options) {
          return FigureParts{.Operators = false,
                             .SelfHostTime = false,
                             .Steps = false,
                             .Held = false,
                             .ByPhase = isByPhase(Options)};
        },
    .Document =
        [](const Figures &Of) { return tensorBoardKernels(Of.Kernels); },
    .Groups = {Grouping::Phase, Grouping::Key},
};

} // namespace loopscope

// The kernels table.
#include "Report/Cells.h"
#include "Report/Kernels.h"
#include "Report/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

namespace loopscope {

Table buildKernels(const std::vector<KernelRow> &Rows, bool ByPhase) {
  auto Knows = [&](double KernelRow::*Figure) {
    return std::any_of(Rows.begin(), Rows.end(), [&](const KernelRow &Each) {
      return Each.*Figure >= 0;
    });
  };
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
                      {count(Each.Calls), duration(Each.Total),
                       Timed == 0 ? absent()
                                  : seconds(static_cast<double>(Each.Total) /
                                            static_cast<double>(Timed) / 1e9),
                       duration(Each.Longest), duration(Each.Shortest)});
    for (auto [Shown, Value] : {std::pair(HasBlocks, Each.BlocksPerSm),
                                std::pair(HasOccupancy, Each.Occupancy)})
      if (Shown)
        Next.Cells.push_back(Value < 0 ? absent() : real(Value));
    Next.Cells.push_back(text(usesTensorCores(Each.Name) ? "yes" : "no"));
    Out.Rows.push_back(std::move(Next));
  }
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

} // namespace loopscope

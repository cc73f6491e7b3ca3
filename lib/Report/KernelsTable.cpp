// The kernels table.
#include "Report/Cells.h"
#include "Report/Kernels.h"

#include <algorithm>

namespace loopscope {

Table buildKernels(const std::vector<KernelRow> &Rows) {
  auto Knows = [&](double KernelRow::*Figure) {
    return std::any_of(Rows.begin(), Rows.end(), [&](const KernelRow &Each) {
      return Each.*Figure >= 0;
    });
  };
  bool HasBlocks = Knows(&KernelRow::BlocksPerSm);
  bool HasOccupancy = Knows(&KernelRow::Occupancy);
  Table Out;
  Out.Id = "kernels";
  Out.Title = "Kernels";
  Out.Columns = {{"name", "Name", Style::Text},
                 {"calls", "Calls", Style::Integer},
                 {"total_s", "Total Duration", Style::Duration},
                 {"mean_s", "Mean Duration", Style::Duration},
                 {"max_s", "Max Duration", Style::Duration, 4},
                 {"min_s", "Min Duration", Style::Duration, 5}};
  if (HasBlocks)
    Out.Columns.push_back(
        {"mean_blocks_per_sm", "Blocks/SM", Style::Number, 3});
  if (HasOccupancy)
    Out.Columns.push_back(
        {"mean_occupancy_percent", "Occupancy (%)", Style::Number, 2});
  Out.Columns.push_back({"tensor_cores", "Tensor Cores", Style::Text, 1});
  for (const KernelRow &Each : Rows) {
    Row Next;
    Next.Cells = {text(kernelName(Each.Name)),
                  count(Each.Calls),
                  duration(Each.Total),
                  seconds(static_cast<double>(Each.Total) /
                          static_cast<double>(Each.Calls) / 1e9),
                  duration(Each.Longest),
                  duration(Each.Shortest)};
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
  return Out;
}

} // namespace loopscope

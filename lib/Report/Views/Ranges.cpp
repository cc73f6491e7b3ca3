// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranges view: NVTX ranges that need not nest.

#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"name", "Range", Style::Text},
    {"calls", "Calls", Style::Integer},
    {"total_s", "Total Duration", Style::Duration},
    {"mean_s", "Mean Duration", Style::Duration},
    {"min_s", "Min Duration", Style::Duration, 2},
    {"max_s", "Max Duration", Style::Duration, 1},
    {"open", "Open", Style::Integer, 3},
    {"open_s", "Open for", Style::Duration, 3}};

Row makeRow(const RangeSum &Of) {
  bool HasEnded = Of.Count != 0;
  Row Next;
  Next.Cells = {text(Of.Name),
                count(Of.Count),
                duration(Of.Ns),
                HasEnded
                    ? seconds(toSeconds(Of.Ns) / static_cast<double>(Of.Count))
                    : absent(),
                HasEnded ? duration(Of.MinNs) : absent(),
                HasEnded ? duration(Of.MaxNs) : absent(),
                count(Of.Open),
                duration(Of.OpenNs)};
  return Next;
}

Result<std::vector<Table>> build(const Run &P,
                                 const ViewOptions & /*Options*/) {
  if (P.isTrace())
    return Error{fmt::format("{}: a PyTorch trace has no ranges that need not "
                             "nest; --view tree has its annotations",
                             P.Path)};
  if (P.Ranges.empty())
    return Error{fmt::format("{}: the run has no NVTX start/end ranges; "
                             "LOOPSCOPE=nvtx=read records those that the "
                             "program emits",
                             P.Path)};
  std::vector<RangeSum> Ranges = P.Ranges;
  std::stable_sort(
      Ranges.begin(), Ranges.end(), [](const RangeSum &A, const RangeSum &B) {
        return saturatingAdd(A.Ns, A.OpenNs) > saturatingAdd(B.Ns, B.OpenNs);
      });
  Table Result;
  Result.Id = "ranges";
  Result.Title = "NVTX start/end ranges";
  Result.Columns = Columns;
  uint64_t Open = 0;
  for (const RangeSum &Each : Ranges) {
    Open += Each.Open;
    Result.Rows.push_back(makeRow(Each));
  }
  Result.Notes.push_back("Such ranges may overlap without nesting and may end "
                         "on another thread, so they are in no phase's time.");
  if (Open != 0)
    Result.Notes.push_back(
        fmt::format("{} had not ended: only the Open columns count them.",
                    counted(Open, "range")));
  return std::vector<Table>{std::move(Result)};
}
} // namespace

const View loopscope::RangesView = {
    .Name = "ranges",
    .Help = "NVTX start/end ranges, which need not nest",
    .OfRun = build,
};

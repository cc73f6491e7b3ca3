// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranges view: NVTX ranges that need not nest.

#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// Only ranges that have ended have a mean and extremes.
Cell meanOf(const RangeSum &Of) {
  return Of.Count == 0
             ? absent()
             : seconds(toSeconds(Of.Ns) / static_cast<double>(Of.Count));
}

const Fields<RangeSum> Shown = {
    {{"name", "Range", Style::Text},
     [](const RangeSum &Of) { return text(Of.Name); }},
    {{"calls", "Calls", Style::Integer},
     [](const RangeSum &Of) { return count(Of.Count); }},
    {{"total_s", "Total Duration", Style::Duration},
     [](const RangeSum &Of) { return duration(Of.Ns); }},
    {{"mean_s", "Mean Duration", Style::Duration}, meanOf},
    {{"min_s", "Min Duration", Style::Duration, 2},
     [](const RangeSum &Of) {
       return Of.Count == 0 ? absent() : duration(Of.MinNs);
     }},
    {{"max_s", "Max Duration", Style::Duration, 1},
     [](const RangeSum &Of) {
       return Of.Count == 0 ? absent() : duration(Of.MaxNs);
     }},
    {{"open", "Open", Style::Integer, 3},
     [](const RangeSum &Of) { return count(Of.Open); }},
    {{"open_s", "Open for", Style::Duration, 3},
     [](const RangeSum &Of) { return duration(Of.OpenNs); }}};

Result<std::vector<Table>> build(const Run &P,
                                 const ViewOptions & /*Options*/) {
  if (!P.By->ReadsRanges)
    return Error{fmt::format("{}: {} has no ranges that need not nest; --view "
                             "tree has its annotations",
                             P.Path, P.By->Noun)};
  if (P.Ranges.empty())
    return Error{fmt::format("{}: the run has no NVTX start/end ranges; "
                             "LOOPSCOPE=nvtx=read records those that the "
                             "program emits",
                             P.Path)};
  std::vector<RangeSum> Ranges = P.Ranges;
  sortLargestFirst(
      Ranges, [](const RangeSum &A) { return saturatingAdd(A.Ns, A.OpenNs); });
  Table Result;
  Result.Id = "ranges";
  Result.Title = "NVTX start/end ranges";
  Result.Columns = columnsOf(Shown);
  uint64_t Open = 0;
  for (const RangeSum &Each : Ranges) {
    Open += Each.Open;
    Result.Rows.push_back({cellsOf(Shown, Each)});
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

namespace loopscope {
extern const View RangesView = {
    .Name = "ranges",
    .Help = "NVTX start/end ranges, which need not nest",
    .OfRun = build,
};
} // namespace loopscope

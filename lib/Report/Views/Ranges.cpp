// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranges view: ranges that need not nest.

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
Cell meanRange(const RangeSum &Of) {
  return Of.Count == 0
             ? absent()
             : seconds(toSeconds(Of.Ns) / static_cast<double>(Of.Count));
}

const Fields<RangeSum> RangeFields = {
    {{"name", "Range", Style::Text},
     [](const RangeSum &Of) { return text(Of.Name); }},
    {{"calls", "Calls", Style::Integer},
     [](const RangeSum &Of) { return count(Of.Count); }},
    {{"total_s", "Total Duration", Style::Time},
     [](const RangeSum &Of) { return duration(Of.Ns); }},
    {{"mean_s", "Mean Duration", Style::Time}, meanRange},
    {{"min_s", "Min Duration", Style::Time, 2},
     [](const RangeSum &Of) {
       return Of.Count == 0 ? absent() : duration(Of.MinNs);
     }},
    {{"max_s", "Max Duration", Style::Time, 1},
     [](const RangeSum &Of) {
       return Of.Count == 0 ? absent() : duration(Of.MaxNs);
     }},
    {{"open", "Open", Style::Integer, 3},
     [](const RangeSum &Of) { return count(Of.Open); }},
    {{"open_s", "Open for", Style::Time, 3},
     [](const RangeSum &Of) { return duration(Of.OpenNs); }},
    {{"ended_again", "Ended again", Style::Integer, 4},
     [](const RangeSum &Of) { return count(Of.EndedAgain); }}};

Result<std::vector<Table>> buildRanges(const Run &R,
                                       const ViewOptions &Options) {
  if (!R.By->ReadsRanges)
    return Error{fmt::format("{}: {} has no ranges that need not nest; --view "
                             "tree has its annotations",
                             R.Path, R.By->Noun)};
  if (R.Ranges.empty())
    return Error{fmt::format(
        "{}: the run has no ranges that need not nest; loopscope_range_begin "
        "begins one, and LOOPSCOPE=nvtx=read records NVTX's start/end ranges",
        R.Path)};
  std::vector<RangeSum> Ranges = R.Ranges;
  sortLargestFirst(
      Ranges, [](const RangeSum &A) { return saturatingAdd(A.Ns, A.OpenNs); });
  Table Result;
  Result.Id = "ranges";
  Result.Title = "Ranges that need not nest";
  uint64_t Open = 0, Again = 0;
  for (const RangeSum &Each : Ranges) {
    Open += Each.Open;
    Again += Each.EndedAgain;
  }
  Fields<RangeSum> Columns = RangeFields;
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  if (Again == 0 && !IsData)
    Columns.pop_back();
  Result.Columns = columnsOf(Columns);
  for (const RangeSum &Each : Ranges)
    Result.Rows.push_back({cellsOf(Columns, Each)});
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
    .Help = "ranges that need not nest, by hand and of NVTX",
    .OfRun = buildRanges,
};
} // namespace loopscope

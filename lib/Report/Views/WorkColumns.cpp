// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells and notes.

#include "Report/Views/WorkColumns.h"

#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace loopscope;

namespace {
struct WorkRow {
  double Flops = 0;
  WorkRate Rate;
};

// Those of WorkColumns with a peak or, for csv and json, in any case.
Fields<WorkRow> fieldsOf(bool IsData, const WorkPeak &Peak) {
  bool HasPeak = Peak.FlopsPerSecond > 0;
  auto OfPeak = [=](double Value) {
    return [=](const WorkRow &) { return HasPeak ? real(Value) : absent(); };
  };
  Fields<WorkRow> Result = {
      {{"flop", "FLOP", Style::Number, 6},
       [](const WorkRow &Of) { return real(Of.Flops, siNumber(Of.Flops)); }},
      {{"flop_per_s", "FLOP/s", Style::Number, 1}, [](const WorkRow &Of) {
         return Of.Rate.PerSecond
                    ? real(*Of.Rate.PerSecond, siNumber(*Of.Rate.PerSecond))
                    : absent();
       }}};
  if (IsData || HasPeak)
    Result.push_back(
        {{"mfu_percent", "MFU", Style::Percent2, 1}, [](const WorkRow &Of) {
           return Of.Rate.MfuPercent ? real(*Of.Rate.MfuPercent) : absent();
         }});
  if (IsData) {
    Result.push_back({{"peak_flop_per_s", "Peak", Style::Number},
                      OfPeak(Peak.FlopsPerSecond)});
    Result.push_back(
        {{"peak_devices", "Devices", Style::Number}, OfPeak(Peak.Devices)});
  }
  return Result;
}
} // namespace

std::vector<Column> WorkColumns::columns() const {
  return columnsOf(fieldsOf(IsData, Peak));
}

std::vector<Cell> WorkColumns::cells(const std::string &Name,
                                     const WorkSums &Work, int64_t BusyNs) {
  if (!Work.IsSaid)
    return noCells();
  WorkRate Rate = rateOf(Work, BusyNs, Peak);
  if (!Work.IsWhole && std::ranges::find(NotWhole, Name) == NotWhole.end())
    NotWhole.push_back(Name);
  IsAbovePeak |= Rate.MfuPercent && *Rate.MfuPercent > 100;
  return cellsOf(fieldsOf(IsData, Peak), WorkRow{Work.Flops, Rate});
}

std::vector<Cell> WorkColumns::noCells() const {
  return std::vector<Cell>(columns().size(), absent());
}

std::vector<std::string> WorkColumns::notes() const {
  std::vector<std::string> Result = {
      "FLOP: as given by flops(); per second of the row's total time, or of "
      "its GPU time where that is longer."};
  if (Peak.FlopsPerSecond > 0)
    Result.push_back(fmt::format(
        "MFU: of {}FLOP/s ({}){}.", siNumber(Peak.FlopsPerSecond), Peak.Source,
        Peak.Devices == 1 ? std::string()
                          : fmt::format(" on each of {:g} devices of a process",
                                        Peak.Devices)));
  else
    Result.push_back(fmt::format("No MFU: {}; give one device's peak with "
                                 "LOOPSCOPE=peak=FLOPS or --peak.",
                                 Peak.Source));
  if (!NotWhole.empty())
    Result.push_back(fmt::format(
        "No FLOP/s for {}: some of the spans or steps gave no FLOP.",
        fmt::join(NotWhole, ", ")));
  if (IsAbovePeak)
    Result.push_back("An MFU above 100% is impossible: flops() gives too "
                     "much, or the peak is for another precision or device.");
  return Result;
}

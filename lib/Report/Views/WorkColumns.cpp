// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells and notes.

#include "Report/Views/WorkColumns.h"

#include "Report/Print/Cells.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace loopscope;

std::vector<Column> WorkColumns::columns() const {
  std::vector<Column> Result = {{"flop", "FLOP", Style::Number, 6},
                                {"flop_per_s", "FLOP/s", Style::Number, 1}};
  if (IsData || Peak.FlopsPerSecond > 0)
    Result.push_back({"mfu_percent", "MFU", Style::Percent2, 1});
  if (IsData) {
    Result.push_back({"peak_flop_per_s", "Peak", Style::Number});
    Result.push_back({"peak_devices", "Devices", Style::Number});
  }
  return Result;
}

std::vector<Cell> WorkColumns::cells(const std::string &Name,
                                     const WorkSums &Work, int64_t BusyNs) {
  if (!Work.IsSaid)
    return noCells();
  WorkRate Rate = rateOf(Work, BusyNs, Peak);
  if (!Work.IsWhole && std::ranges::find(NotWhole, Name) == NotWhole.end())
    NotWhole.push_back(Name);
  IsAbovePeak |= Rate.MfuPercent && *Rate.MfuPercent > 100;
  bool HasPeak = Peak.FlopsPerSecond > 0;
  std::vector<Cell> Result = {
      real(Work.Flops, siNumber(Work.Flops)),
      Rate.PerSecond ? real(*Rate.PerSecond, siNumber(*Rate.PerSecond))
                     : absent()};
  if (IsData || HasPeak)
    Result.push_back(Rate.MfuPercent ? real(*Rate.MfuPercent) : absent());
  if (IsData) {
    Result.push_back(HasPeak ? real(Peak.FlopsPerSecond) : absent());
    Result.push_back(HasPeak ? real(Peak.Devices) : absent());
  }
  return Result;
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
    Result.push_back("An MFU above 100 % is impossible: flops() gives too "
                     "much, or the peak is for another precision or device.");
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells and notes.

#include "Report/Views/AmountColumns.h"

#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

using namespace loopscope;

namespace {
struct AmountRow {
  AmountSum Of;
  std::optional<double> Rate;
  std::optional<double> MfuPercent; // of all of a process's devices
};

const SpanAmountRow &rowOf(SpanAmount Which) {
  return SpanAmounts[static_cast<uint32_t>(Which)];
}

std::string keyOf(SpanAmount Which) {
  std::string Key = rowOf(Which).Noun;
  for (char &C : Key)
    C = static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  return Key;
}

std::string headerOf(SpanAmount Which) {
  std::string Header = rowOf(Which).Noun;
  Header[0] =
      static_cast<char>(std::toupper(static_cast<unsigned char>(Header[0])));
  return Header;
}

// The share of a peak or, for csv and json in any case, what it is made from.
void addPeak(Fields<AmountRow> &To, bool IsData, const FlopsPeak &Peak) {
  bool HasPeak = Peak.FlopsPerSecond > 0;
  auto OfPeak = [=](double Value) {
    return [=](const AmountRow &) { return HasPeak ? real(Value) : absent(); };
  };
  if (IsData || HasPeak)
    To.push_back(
        {{"mfu_percent", "MFU", Style::Percent2, 1}, [](const AmountRow &Of) {
           return Of.MfuPercent ? real(*Of.MfuPercent) : absent();
         }});
  if (IsData) {
    To.push_back({{"peak_flop_per_s", "Peak", Style::Number},
                  OfPeak(Peak.FlopsPerSecond)});
    To.push_back(
        {{"peak_devices", "Devices", Style::Number}, OfPeak(Peak.Devices)});
  }
}

Fields<AmountRow> amountFields(SpanAmount Which, bool IsData,
                               const FlopsPeak &Peak) {
  Fields<AmountRow> Result = {
      {{keyOf(Which), headerOf(Which), Style::Number, 6},
       [](const AmountRow &Row) {
         return real(Row.Of.Sum, siNumber(Row.Of.Sum));
       }},
      {{keyOf(Which) + "_per_s", headerOf(Which) + "/s", Style::Number, 1},
       [](const AmountRow &Row) {
         return Row.Rate ? real(*Row.Rate, siNumber(*Row.Rate)) : absent();
       }}};
  if (Which == SpanAmount::Flops)
    addPeak(Result, IsData, Peak);
  return Result;
}
} // namespace

std::vector<Column> AmountColumns::columns() const {
  std::vector<Column> Result;
  for (SpanAmount Which : Given)
    for (Column &Each : columnsOf(amountFields(Which, IsData, Peak)))
      Result.push_back(std::move(Each));
  return Result;
}

std::vector<Cell> AmountColumns::cells(const std::string &Name,
                                       const AmountSums &Of, int64_t BusyNs) {
  std::vector<Cell> Result;
  for (SpanAmount Which : Given) {
    Fields<AmountRow> Fields = amountFields(Which, IsData, Peak);
    AmountRow Row{Of[Which], perSecond(Of[Which], BusyNs, Peak.Devices), {}};
    if (!Row.Of.IsGiven) {
      Result.resize(Result.size() + Fields.size(), absent());
      continue;
    }
    if (!Row.Of.IsWhole &&
        std::ranges::find(NotWhole[Which], Name) == NotWhole[Which].end())
      NotWhole[Which].push_back(Name);
    if (Which == SpanAmount::Flops && Row.Rate && Peak.FlopsPerSecond > 0)
      Row.MfuPercent = *Row.Rate * 100 / (Peak.FlopsPerSecond * Peak.Devices);
    IsAbovePeak |= Row.MfuPercent > 100;
    for (Cell &Each : cellsOf(Fields, Row))
      Result.push_back(std::move(Each));
  }
  return Result;
}

std::vector<Cell> AmountColumns::noCells() const {
  return std::vector<Cell>(columns().size(), absent());
}

std::vector<std::string> AmountColumns::notes() const {
  std::vector<std::string> Result;
  for (SpanAmount Which : Given)
    Result.push_back(fmt::format(
        "{}: as given by {}(); per second of the row's total time, or of its "
        "GPU time where that is longer.",
        headerOf(Which), rowOf(Which).Name));
  bool HasFlops = std::ranges::find(Given, SpanAmount::Flops) != Given.end();
  if (HasFlops && Peak.FlopsPerSecond > 0)
    Result.push_back(fmt::format(
        "MFU: of {}FLOP/s ({}){}.", siNumber(Peak.FlopsPerSecond), Peak.Source,
        Peak.Devices == 1 ? std::string()
                          : fmt::format(" on each of {:g} devices of a process",
                                        Peak.Devices)));
  else if (HasFlops)
    Result.push_back(fmt::format("No MFU: {}; give one device's peak with "
                                 "LOOPSCOPE=peak=FLOPS or --peak.",
                                 Peak.Source));
  for (SpanAmount Which : Given)
    if (!NotWhole[Which].empty())
      Result.push_back(
          fmt::format("No {}/s for {}: some of the spans or steps gave no {}.",
                      headerOf(Which), fmt::join(NotWhole[Which], ", "),
                      rowOf(Which).Noun));
  if (IsAbovePeak)
    Result.push_back("An MFU above 100% is impossible: flops() gives too "
                     "much, or the peak is for another precision or device.");
  return Result;
}

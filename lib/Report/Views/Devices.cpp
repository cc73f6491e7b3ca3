// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices view: for each stage one table of the host and one of each GPU.

#include "Analysis/DeviceRows.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

using namespace loopscope;

namespace {
// With fewer samples a mean says little.
constexpr uint64_t FewSamples = 5;

// How a metric reads: header of the mean, and what a value is divided by.
struct Reading {
  const char *Name; ///< as in the profile
  const char *Header;
  double Unit;
  bool IfRoom;
};
constexpr double Mebi = 1024.0 * 1024;
constexpr double Mega = 1e6;

// In the order of the columns.
constexpr Reading Known[] = {{"process_cpu_percent", "CPU %", 1, false},
                             {"process_rss", "RSS MiB", Mebi, false},
                             {"cpu_percent", "Host CPU %", 1, false},
                             {"cpu_vm_percent", "Host RAM %", 1, true},
                             {"cpu_swap_percent", "Swap %", 1, true},
                             {"process_threads", "Threads", 1, true},
                             {"utilization.gpu", "GPU %", 1, false},
                             {"memory.used", "Memory MiB", Mebi, false},
                             {"power.draw", "Power W", 1, false},
                             {"temperature.gpu", "Temp. \u00b0C", 1, true},
                             {"clocks.sm", "SM MHz", Mega, true},
                             {"utilization.memory", "Memory busy %", 1, true},
                             {"clocks.mem", "Memory MHz", Mega, true}};

// Said once, above the table.
constexpr const char *TotalMemory = "memory.total";

size_t rankOf(const Metric &M) {
  size_t I = 0;
  while (I < std::size(Known) && M.Name != Known[I].Name)
    ++I;
  return I;
}

// A newer runtime's metric: its name, and its unit as it is.
Reading readingOf(const Metric &M) {
  size_t Rank = rankOf(M);
  return Rank < std::size(Known) ? Known[Rank]
                                 : Reading{"", M.Name.c_str(), 1, true};
}

// csv header and json key, without "_mean" and "_max": the name and the unit.
std::string keyOf(const Metric &M) {
  switch (M.Unit) {
  case LOOPSCOPE_UNIT_PERCENT:
    return M.Name.ends_with("percent") ? M.Name : M.Name + "_percent";
  case LOOPSCOPE_UNIT_BYTES:
    return M.Name + "_bytes";
  case LOOPSCOPE_UNIT_WATTS:
    return M.Name + "_watts";
  case LOOPSCOPE_UNIT_CELSIUS:
    return M.Name + "_celsius";
  case LOOPSCOPE_UNIT_HERTZ:
    return M.Name + "_hertz";
  case LOOPSCOPE_UNIT_COUNT:
    break;
  }
  return M.Name;
}

// One decimal below 100, whole numbers from there on.
std::string shown(double Value) {
  return std::abs(Value) < 99.95 ? fmt::format("{:.1f}", Value)
                                 : fmt::format("{:.0f}", Value);
}

// One device's metrics.
struct Device {
  std::string Id;    ///< "host", "gpu_0"
  std::string Title; ///< "host", "GPU 0: NAME"
  std::vector<size_t> Metrics;
  size_t Total = static_cast<size_t>(-1); ///< the metric of its memory's size
};

std::vector<Device> devicesOf(const DeviceData &D) {
  // The host first; processes of a merged profile by their names.
  std::map<std::tuple<std::string, bool, uint32_t>, Device> All;
  for (size_t I = 0; I < D.Metrics.size(); ++I) {
    const Metric &M = D.Metrics[I];
    bool IsGpu = M.Device != None;
    Device &To = All[{M.Process, IsGpu, M.Device}];
    std::string Of = M.Process.empty() ? "" : " of " + M.Process;
    if (!IsGpu) {
      To.Id = "host";
      To.Title = "host" + Of;
    } else {
      To.Id = fmt::format("gpu_{}", M.Device);
      To.Title = fmt::format("GPU {}{}{}", M.Device, Of,
                             M.DeviceName.empty() ? "" : ", " + M.DeviceName);
    }
    if (!M.Process.empty())
      To.Id += "_" + M.Process;
    if (M.Name == TotalMemory)
      To.Total = I;
    else
      To.Metrics.push_back(I);
  }
  std::vector<Device> Result;
  for (auto &[Key, Each] : All) {
    std::stable_sort(Each.Metrics.begin(), Each.Metrics.end(),
                     [&](size_t A, size_t B) {
                       return rankOf(D.Metrics[A]) < rankOf(D.Metrics[B]);
                     });
    Result.push_back(std::move(Each));
  }
  return Result;
}

class Builder {
public:
  Builder(const DeviceData &D, const DeviceStage &S, const Device &Of)
      : D(D), S(S), Of(Of) {}

  bool hasSamples() const { return samplesOf(S.Total) != 0; }
  Table build();

private:
  uint64_t samplesOf(const DeviceRow &R) const;
  Row makeRow(const DeviceRow &R) const;
  void addNotes(Table &To) const;

  const DeviceData &D;
  const DeviceStage &S;
  const Device &Of;
};
} // namespace

uint64_t Builder::samplesOf(const DeviceRow &R) const {
  uint64_t Most = 0;
  for (size_t M : Of.Metrics)
    Most = std::max(Most, R.Metrics[M].Count);
  return Most;
}

Row Builder::makeRow(const DeviceRow &R) const {
  Row Result;
  Result.Cells = {text(R.Name), count(samplesOf(R))};
  for (size_t M : Of.Metrics) {
    const SampleSum &Sum = R.Metrics[M];
    double Unit = readingOf(D.Metrics[M]).Unit;
    if (Sum.Count == 0) {
      Result.Cells.push_back(absent());
      Result.Cells.push_back(absent());
      continue;
    }
    Result.Cells.push_back(real(Sum.mean(), shown(Sum.mean() / Unit)));
    bool IsWhole = D.Metrics[M].Unit == LOOPSCOPE_UNIT_COUNT;
    Result.Cells.push_back(real(Sum.Max, IsWhole
                                             ? fmt::format("{:.0f}", Sum.Max)
                                             : shown(Sum.Max / Unit)));
  }
  return Result;
}

void Builder::addNotes(Table &To) const {
  std::string Few;
  for (const DeviceRow &R : S.Rows)
    if (uint64_t Samples = samplesOf(R); Samples != 0 && Samples < FewSamples)
      Few += (Few.empty() ? "" : ", ") + R.Name;
  if (!Few.empty())
    To.Notes.push_back(fmt::format(
        "Fewer than {} samples, which say little: {}.", FewSamples, Few));
  auto Unseen =
      S.Unseen + static_cast<uint64_t>(std::count_if(
                     S.Rows.begin(), S.Rows.end(),
                     [&](const DeviceRow &R) { return samplesOf(R) == 0; }));
  if (Unseen != 0)
    To.Notes.push_back(
        fmt::format("{} without a sample.", counted(Unseen, "action")));
}

Table Builder::build() {
  Table Result;
  Result.Id = S.Of.Id + "_" + Of.Id;
  Result.Where = {{"stage", S.Of.Id}, {"table", Of.Id}};
  constexpr std::string_view Report = "Profiler Report";
  std::string Title = S.Of.Title; // "FIT Profiler Report"
  if (size_t At = Title.find(Report); At != std::string::npos)
    Title.replace(At, Report.size(), "Device Stats");
  Result.Title = fmt::format("{}, {}", Title, Of.Title);
  Result.Preamble.push_back(fmt::format(
      "Means of samples every {} ms, and the largest.", D.IntervalMs));
  if (Of.Id.starts_with("host"))
    Result.Preamble.emplace_back(
        "CPU % is the process's: 100 for each core it uses.");
  if (Of.Total < D.Metrics.size() && S.Total.Metrics[Of.Total].Count != 0)
    Result.Preamble.push_back(
        fmt::format("The GPU has {} MiB of memory.",
                    shown(S.Total.Metrics[Of.Total].Max / Mebi)));
  Result.Columns = {{"action", "Action", Style::Text},
                    {"samples", "Samples", Style::Integer}};
  for (size_t M : Of.Metrics) {
    Reading R = readingOf(D.Metrics[M]);
    std::string Key = keyOf(D.Metrics[M]);
    // A maximum goes before its mean, the last metric first.
    auto Rank = static_cast<unsigned>(rankOf(D.Metrics[M]));
    unsigned Priority = R.IfRoom ? 2 * Rank : 0;
    Result.Columns.push_back(
        {Key + "_mean", R.Header, Style::Number, Priority});
    Result.Columns.push_back(
        {Key + "_max", "max", Style::Number, Priority + 1});
  }
  Result.Rows.push_back(makeRow(S.Total));
  Result.Rows.back().IsTotal = true;
  for (const DeviceRow &R : S.Rows)
    if (samplesOf(R) != 0)
      Result.Rows.push_back(makeRow(R));
  addNotes(Result);
  return Result;
}

namespace {
Result<std::vector<Table>> build(const Run &P,
                                 const ViewOptions & /*Options*/) {
  const DeviceData &D = P.Devices;
  if (P.isTrace())
    return Error{fmt::format("{}: a PyTorch trace has no device samples; "
                             "--view overview says how busy its GPUs were",
                             P.Path)};
  std::string Why = D.Note.empty() ? "" : " (" + D.Note + ")";
  if (D.IntervalMs == 0)
    return Error{fmt::format("{}: the run has no device samples{}; run it "
                             "without devices=off in LOOPSCOPE",
                             P.Path, Why)};
  if (D.Sums.empty())
    return Error{fmt::format("{}: the run ended before the first device "
                             "sample, {} ms after its start{}; try a shorter "
                             "interval such as LOOPSCOPE=devices=10ms",
                             P.Path, D.IntervalMs, Why)};
  DeviceStages All = sumDevices(P);
  std::vector<Table> Tables;
  for (const DeviceStage &S : All.List)
    for (const Device &Of : devicesOf(D))
      if (Builder B(D, S, Of); B.hasSamples())
        Tables.push_back(B.build());
  if (All.Outside != 0 && !Tables.empty())
    Tables.back().Notes.push_back(
        fmt::format("{} outside all stages.", counted(All.Outside, "sample")));
  if (!D.Note.empty() && !Tables.empty())
    Tables.back().Notes.push_back(fmt::format("Incomplete: {}.", D.Note));
  return Tables;
}
} // namespace

const View loopscope::DevicesView = {
    .Name = "devices",
    .Help = "what processors, memory and GPUs did meanwhile",
    .OfRun = build,
    .Shape = {.MixedColumns = true},
    .HasStageTables = true,
};

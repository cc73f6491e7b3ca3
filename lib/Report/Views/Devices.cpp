// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices view: for each stage, a table for the host and one for each GPU.

#include "Analysis/Device/DeviceRows.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Model/Metrics.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

using namespace loopscope;

namespace {
// With fewer samples, a mean says little.
constexpr uint64_t FewSamples = 5;

// Its position among the columns; unknown metrics come last.
size_t rankOf(const Metric &M) {
  return M.Kind ? static_cast<size_t>(M.Kind - metricKinds().data())
                : metricKinds().size();
}

bool isConstant(const Metric &M) {
  return M.Kind && M.Kind->How == Aggregate::Constant;
}

// One device's metrics.
struct Device {
  std::string Id;                ///< "host", "gpu_0"
  std::string Title;             ///< "host", "GPU 0: NAME"
  std::vector<size_t> Metrics;   ///< that have columns
  std::vector<size_t> Constants; ///< that don't
};

std::vector<Device> devicesOf(const DeviceData &D) {
  // The host first; a merged profile's processes by name.
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
    (isConstant(M) ? To.Constants : To.Metrics).push_back(I);
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

class DevicesTables {
public:
  DevicesTables(const DeviceData &D, const DeviceStage &S, const Device &Of)
      : D(D), S(S), Of(Of) {}

  bool hasSamples() const { return samplesOf(S.Total) != 0; }
  Table build();

private:
  uint64_t samplesOf(const DeviceRow &R) const;
  Row makeRow(const DeviceRow &R) const;
  std::string constantSentence(size_t Which) const;
  void addNotes(Table &To) const;

  const DeviceData &D;
  const DeviceStage &S;
  const Device &Of;
};
} // namespace

uint64_t DevicesTables::samplesOf(const DeviceRow &R) const {
  uint64_t Most = 0;
  for (size_t M : Of.Metrics)
    Most = std::max(Most, R.Metrics[M].Count);
  return Most;
}

Row DevicesTables::makeRow(const DeviceRow &R) const {
  Row Result;
  Result.Cells = {text(R.Name), count(samplesOf(R))};
  for (size_t M : Of.Metrics) {
    const SampleSum &Sum = R.Metrics[M];
    const Metric &Each = D.Metrics[M];
    if (Sum.Count == 0) {
      Result.Cells.push_back(absent());
      Result.Cells.push_back(absent());
      continue;
    }
    Result.Cells.push_back(real(Sum.mean(), metricText(Each, Sum.mean())));
    bool IsWhole = Each.Unit == LOOPSCOPE_UNIT_COUNT;
    Result.Cells.push_back(real(Sum.Max, IsWhole
                                             ? fmt::format("{:.0f}", Sum.Max)
                                             : metricText(Each, Sum.Max)));
  }
  return Result;
}

std::string DevicesTables::constantSentence(size_t Which) const {
  const Metric &M = D.Metrics[Which];
  return fmt::format(fmt::runtime(M.Kind->Sentence),
                     metricText(M, S.Total.Metrics[Which].Max) + " " +
                         M.Kind->Symbol);
}

void DevicesTables::addNotes(Table &To) const {
  std::string Few;
  for (const DeviceRow &R : S.Rows)
    if (uint64_t Samples = samplesOf(R); Samples != 0 && Samples < FewSamples)
      Few += (Few.empty() ? "" : ", ") + R.Name;
  if (!Few.empty())
    To.Notes.push_back(fmt::format(
        "Fewer than {} samples, too few to rely on: {}.", FewSamples, Few));
  auto Unseen =
      S.Unseen + static_cast<uint64_t>(std::count_if(
                     S.Rows.begin(), S.Rows.end(),
                     [&](const DeviceRow &R) { return samplesOf(R) == 0; }));
  if (Unseen != 0)
    To.Notes.push_back(
        fmt::format("{} without a sample.", counted(Unseen, "action")));
}

Table DevicesTables::build() {
  Table Result;
  Result.Id = S.Of.Id + "_" + Of.Id;
  Result.Where = {{"stage", S.Of.Id}, {"table", Of.Id}};
  constexpr std::string_view Report = "Profiler Report";
  std::string Title = S.Of.Title; // "FIT Profiler Report"
  if (size_t At = Title.find(Report); At != std::string::npos)
    Title.replace(At, Report.size(), "Device Stats");
  Result.Title = fmt::format("{}, {}", Title, Of.Title);
  Result.Preamble.push_back(fmt::format(
      "Mean and largest of samples taken every {} ms.", D.IntervalMs));
  for (size_t M : Of.Metrics)
    if (D.Metrics[M].Kind && D.Metrics[M].Kind->Sentence)
      Result.Preamble.emplace_back(D.Metrics[M].Kind->Sentence);
  for (size_t M : Of.Constants)
    if (S.Total.Metrics[M].Count != 0)
      Result.Preamble.push_back(constantSentence(M));
  Result.Columns = {{"action", "Action", Style::Text},
                    {"samples", "Samples", Style::Integer}};
  for (size_t M : Of.Metrics) {
    const Metric &Each = D.Metrics[M];
    std::string Key = metricKey(Each);
    // A maximum goes before its mean, the last metric first.
    auto Rank = static_cast<unsigned>(rankOf(Each));
    unsigned Priority = !Each.Kind || Each.Kind->IsOptional ? 2 * Rank : 0;
    Result.Columns.push_back(
        {Key + "_mean", metricHeader(Each), Style::Number, Priority});
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
Result<std::vector<Table>> buildDevices(const Run &R,
                                        const ViewOptions & /*Options*/) {
  const DeviceData &D = R.Devices;
  if (!R.By->ReadsMachine)
    return Error{fmt::format("{}: {} has no device samples; --view overview "
                             "says how busy its GPUs were",
                             R.Path, R.By->Noun)};
  std::string Why = D.Note.empty() ? "" : " (" + D.Note + ")";
  if (D.IntervalMs == 0)
    return Error{fmt::format("{}: the run has no device samples{}; run it "
                             "without devices=off in LOOPSCOPE",
                             R.Path, Why)};
  if (D.Sums.empty())
    return Error{fmt::format("{}: the run ended before the first device "
                             "sample, {} ms after its start{}; try a shorter "
                             "interval such as LOOPSCOPE=devices=10ms",
                             R.Path, D.IntervalMs, Why)};
  DeviceStages All = sumDevices(R);
  std::vector<Table> Tables;
  for (const DeviceStage &S : All.List)
    for (const Device &Of : devicesOf(D))
      if (DevicesTables B(D, S, Of); B.hasSamples())
        Tables.push_back(B.build());
  if (All.Outside != 0 && !Tables.empty())
    Tables.back().Notes.push_back(
        fmt::format("{} outside all stages.", counted(All.Outside, "sample")));
  if (!D.Note.empty() && !Tables.empty())
    Tables.back().Notes.push_back(fmt::format("Incomplete: {}.", D.Note));
  return Tables;
}
} // namespace

namespace loopscope {
extern const View DevicesView = {
    .Name = "devices",
    .Help = "what CPUs, memory and GPUs did meanwhile",
    .OfRun = buildDevices,
    .Shape = {.MixedColumns = true},
    .HasStageTables = true,
};
} // namespace loopscope

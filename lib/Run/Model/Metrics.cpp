// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of metrics.

#include "Run/Model/Metrics.h"

#include "Run/Model/Devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace loopscope;

namespace {
constexpr double Mebi = 1024.0 * 1024;
constexpr double Mega = 1e6;
using enum MetricId;
using enum Aggregate;

constexpr MetricKind MetricKinds[] = {
    {ProcessCpuPercent, "CPU", "%", 1, MeanAndMax, false,
     "CPU % is the process's: 100 for each core it uses.", nullptr},
    {ProcessRss, "RSS", "MiB", Mebi, MeanAndMax, false, nullptr, "Peak memory"},
    {CpuPercent, "Host CPU", "%", 1, MeanAndMax, false, nullptr, nullptr},
    {CpuVmPercent, "Host RAM", "%", 1, MeanAndMax, true, nullptr, nullptr},
    {CpuSwapPercent, "Swap", "%", 1, MeanAndMax, true, nullptr, nullptr},
    {ProcessThreads, "Threads", "", 1, MeanAndMax, true, nullptr, nullptr},
    {CpuThrottledPercent, "Throttled", "%", 1, MeanAndMax, true,
     "Throttled % is CPU time that a control group's quota withheld: 100 "
     "for each CPU.",
     nullptr},
    {CpuThrottledPeriods, "Throttled periods", "%", 1, MeanAndMax, true,
     nullptr, nullptr},
    {MemoryPressureSome, "Memory stall", "%", 1, MeanAndMax, true,
     "Memory stall % is the time in which some task waited for memory (full: "
     "all tasks).",
     nullptr},
    {MemoryPressureFull, "Memory stall, full", "%", 1, MeanAndMax, true,
     nullptr, nullptr},
    {UtilizationGpu, "GPU", "%", 1, MeanAndMax, false, nullptr, nullptr},
    {MemoryUsed, "Memory", "MiB", Mebi, MeanAndMax, false, nullptr, nullptr},
    {PowerDraw, "Power", "W", 1, MeanAndMax, false, nullptr, nullptr},
    {TemperatureGpu, "Temp.", "\u00b0C", 1, MeanAndMax, true, nullptr, nullptr},
    {ClockSm, "SM", "MHz", Mega, MeanAndMax, true, nullptr, nullptr},
    {UtilizationMemory, "Memory busy", "%", 1, MeanAndMax, true, nullptr,
     nullptr},
    {ClockMemory, "Memory", "MHz", Mega, MeanAndMax, true, nullptr, nullptr},
    {MemoryTotal, "Memory size", "MiB", Mebi, Constant, false,
     "The GPU has {} of memory.", nullptr},
};

struct MetricName {
  MetricId Id;
  std::string_view Name;
};
constexpr MetricName MetricNames[] = {
#define LOOPSCOPE_METRIC_NAME_(IDENTIFIER, NAME, UNIT) {IDENTIFIER, NAME},
    LOOPSCOPE_HOST_METRICS(LOOPSCOPE_METRIC_NAME_)
        LOOPSCOPE_GPU_METRICS(LOOPSCOPE_METRIC_NAME_)
#undef LOOPSCOPE_METRIC_NAME_
};

consteval bool hasEveryMetricOnce() {
  return std::ranges::all_of(MetricNames, [](const MetricName &Each) {
    return std::ranges::count(MetricKinds, Each.Id, &MetricKind::Id) == 1;
  });
}
consteval bool hasSentencesOfConstants() {
  return std::ranges::all_of(MetricKinds, [](const MetricKind &Each) {
    return Each.How != Constant || Each.Sentence;
  });
}
static_assert(hasEveryMetricOnce(), "a metric without its line in MetricKinds");
static_assert(hasSentencesOfConstants(), "a constant has no sentence");
} // namespace

std::span<const MetricKind> loopscope::metricKinds() { return MetricKinds; }

const MetricKind *loopscope::findMetricKind(std::string_view Name) {
  const MetricName *Found =
      std::ranges::find(MetricNames, Name, &MetricName::Name);
  if (Found == std::end(MetricNames))
    return nullptr;
  return std::ranges::find(MetricKinds, Found->Id, &MetricKind::Id);
}

const char *loopscope::unitName(loopscope_metric_unit Unit) {
  switch (Unit) {
  case LOOPSCOPE_UNIT_PERCENT:
    return "percent";
  case LOOPSCOPE_UNIT_BYTES:
    return "bytes";
  case LOOPSCOPE_UNIT_WATTS:
    return "watts";
  case LOOPSCOPE_UNIT_CELSIUS:
    return "celsius";
  case LOOPSCOPE_UNIT_HERTZ:
    return "hertz";
  case LOOPSCOPE_UNIT_COUNT:
    break;
  }
  return "count";
}

std::string loopscope::metricKey(const Metric &M) {
  std::string Unit = unitName(M.Unit);
  return M.Unit == LOOPSCOPE_UNIT_COUNT || M.Name.ends_with(Unit)
             ? M.Name
             : M.Name + "_" + Unit;
}

std::string loopscope::metricHeader(const Metric &M) {
  if (!M.Kind)
    return M.Name;
  std::string Header = M.Kind->Noun;
  return *M.Kind->Symbol ? Header + " " + M.Kind->Symbol : Header;
}

std::string loopscope::metricText(const Metric &M, double Value) {
  Value /= M.Kind ? M.Kind->Scale : 1;
  return std::abs(Value) < 99.95 ? fmt::format("{:.1f}", Value)
                                 : fmt::format("{:.0f}", Value);
}

double loopscope::highestValue(const DeviceData &D, MetricId Of) {
  double Most = 0;
  for (const MetricSum &Each : D.Sums)
    if (D.Metrics[Each.Metric].is(Of))
      Most = std::max(Most, Each.Max);
  return Most;
}

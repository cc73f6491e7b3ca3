// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of the device chunks.

#include "Run/Read/DevicesReader.h"

#include "Support/Printable.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace loopscope;

namespace {
bool isNumber(const loopscope_metric_sum &S) {
  return std::isfinite(S.sum) && std::isfinite(S.min) && std::isfinite(S.max) &&
         S.min <= S.max;
}
} // namespace

DeviceData
loopscope::readDevices(ProfileBytes &Records,
                       const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                       Integrity &Lost) {
  const loopscope_profile_header &H = Records.header();
  DeviceData Result;
  Result.IntervalMs = H.sampler_ms;
  Result.Rounds = H.sampler_rounds;
  Result.CostNs =
      static_cast<int64_t>(std::min<uint64_t>(H.sampler_cost_ns, INT64_MAX));
  Result.Note = printable(std::string(
      H.sampler_note, strnlen(H.sampler_note, sizeof(H.sampler_note))));
  std::unordered_map<uint32_t, uint32_t> MetricOf;
  for (const auto &Record : Records.metrics()) {
    const loopscope_metric &M = Record.Value;
    bool HasUnit =
        M.unit >= LOOPSCOPE_UNIT_PERCENT && M.unit <= LOOPSCOPE_UNIT_COUNT;
    if (!MetricOf.try_emplace(Record.Index, Result.Metrics.size()).second) {
      ++Lost.BadRecords;
      continue;
    }
    std::string Name = Records.text(M.name);
    const MetricKind *Kind = findMetricKind(Name);
    Result.Metrics.push_back({std::move(Name),
                              HasUnit
                                  ? static_cast<loopscope_metric_unit>(M.unit)
                                  : LOOPSCOPE_UNIT_COUNT,
                              M.device, Records.text(M.device_name), Kind, ""});
  }
  for (const auto &Record : Records.metricSums()) {
    const loopscope_metric_sum &S = Record.Value;
    Lost.TornNodes += Record.Torn;
    if (S.count == 0)
      continue;
    auto Metric = MetricOf.find(S.metric);
    auto Node = NodeOf.find(S.node);
    if (Metric == MetricOf.end() || !isNumber(S) ||
        (Node == NodeOf.end() && S.node != None)) {
      ++Lost.BadRecords;
      continue;
    }
    Result.Sums.push_back({Metric->second, S.node == None ? None : Node->second,
                           S.count, S.sum, S.min, S.max});
  }
  return Result;
}

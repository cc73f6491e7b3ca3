// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device sampler recorded: plain values, checked. Part of the model
// (Run.h), filled by readDevices.

#ifndef LOOPSCOPE_RUN_MODEL_DEVICES_H
#define LOOPSCOPE_RUN_MODEL_DEVICES_H

#include "Run/Model/Metrics.h"

#include <loopscope/profile_format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// One metric of one device.
struct Metric {
  std::string Name; ///< "cpu_percent", "utilization.gpu"
  loopscope_metric_unit Unit = LOOPSCOPE_UNIT_COUNT;
  uint32_t Device = LOOPSCOPE_NONE; ///< NONE: the host and the process
  std::string DeviceName;
  const MetricKind *Kind = nullptr; ///< null: a newer runtime's
  std::string Process; ///< in a merged profile: "rank 3"; else empty

  bool is(MetricId Id) const { return Kind && Kind->Id == Id; }
};

/// The samples of a metric taken while a call path was the innermost one of the
/// main thread or, while that was outside all spans, of a thread that trains.
struct MetricSum {
  uint32_t Metric = 0;            ///< in DeviceData::Metrics
  uint32_t Node = LOOPSCOPE_NONE; ///< NONE: before the first span
  uint64_t Count = 0;             ///< at least 1
  double Sum = 0;
  double Min = 0;
  double Max = 0;
};

/// A run's samples.
struct DeviceData {
  uint32_t IntervalMs = 0; ///< 0: there was no sampling
  uint64_t Rounds = 0;
  int64_t CostNs = 0; ///< the sampler's CPU time
  std::string Note;   ///< why metrics are missing; empty: none is
  std::vector<Metric> Metrics;
  std::vector<MetricSum> Sums;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_DEVICES_H

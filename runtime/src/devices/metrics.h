// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics in the profile: their descriptions, and the sums of their samples by
// call path. Only the sampler's thread writes them.

#ifndef LOOPSCOPE_DEVICES_METRICS_H
#define LOOPSCOPE_DEVICES_METRICS_H

#include <loopscope/profile_format.h>

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// One metric's description.
struct MetricInfo {
  const char *Name;
  loopscope_metric_unit Unit;
};

/// Adds a metric to the profile; LOOPSCOPE_NONE if out of memory. DEVICE and
/// DEVICE_NAME are as in loopscope_metric. Takes the slow lock.
uint32_t addMetric(const MetricInfo &Info, uint32_t Device,
                   const char *DeviceName);

/// Adds a sample to the sums of METRIC and NODE. False if out of memory. Takes
/// the slow lock for a call path's first sample.
bool addSample(uint32_t Metric, uint32_t Node, double Value);

/// For a forked child, which has no metrics.
void resetMetrics();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_METRICS_H

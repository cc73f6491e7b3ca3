// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics that the device sampler records, as data: one table that the
// reader, view, page and exports loop over. A metric is one line in
// loopscope/profile_format_gpu.h and one of the table.

#ifndef LOOPSCOPE_RUN_MODEL_METRICS_H
#define LOOPSCOPE_RUN_MODEL_METRICS_H

#include <loopscope/profile_format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace loopscope {

struct DeviceData;
struct Metric;

/// The metrics of the format's header: CpuPercent, ..., ClockMemory.
enum class MetricId {
#define LOOPSCOPE_METRIC_IDENTIFIER_(IDENTIFIER, NAME, UNIT) IDENTIFIER,
  LOOPSCOPE_HOST_METRICS(LOOPSCOPE_METRIC_IDENTIFIER_)
      LOOPSCOPE_GPU_METRICS(LOOPSCOPE_METRIC_IDENTIFIER_)
#undef LOOPSCOPE_METRIC_IDENTIFIER_
};

/// How a metric's samples are shown.
enum class Aggregate {
  MeanAndMax, ///< two columns
  Constant    ///< never changes: told above the table
};

/// One kind of metric. Values in the model, in csv and in json are in the
/// profile's unit; values for people are divided by Scale.
struct MetricKind {
  MetricId Id;
  const char *Noun;   ///< "Host RAM"
  const char *Symbol; ///< of the unit that people read, "MiB"; may be empty
  double Scale;       ///< 1048576 for MiB
  Aggregate How;
  /// Whether a narrow terminal leaves out its columns, the table's last first.
  bool IsOptional;
  /// A sentence above the table; null for none. "{}" in it is a constant's
  /// value, with its unit.
  const char *Sentence;
  /// The page's card for its highest value; null for none.
  const char *Card;
};

/// Every kind, in the order of the columns.
std::span<const MetricKind> metricKinds();

/// The kind that a profile calls \p Name; null if only a newer runtime knows
/// it.
const MetricKind *findMetricKind(std::string_view Name);

/// "percent", "bytes", ...
const char *unitName(loopscope_metric_unit Unit);

/// The csv header and json key, before "_mean" or "_max": name and unit.
std::string metricKey(const Metric &M);

/// The header in text and markdown; for an unknown metric, its name.
std::string metricHeader(const Metric &M);

/// \p Value as people read it: one decimal below 100, whole numbers above.
std::string metricText(const Metric &M, double Value);

/// The highest value of a metric in the run; 0 without samples.
double highestValue(const DeviceData &D, MetricId Of);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_METRICS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics that the device sampler records, as data: one table that reader,
// view, page and exports loop over. A metric is one line in
// loopscope/profile_format_gpu.h and one of the table.

#ifndef LOOPSCOPE_RUN_METRICS_H
#define LOOPSCOPE_RUN_METRICS_H

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

/// What becomes of a metric's samples.
enum class Aggregate {
  MeanAndMax, ///< two columns
  Constant    ///< never changes: told above the table
};

/// One kind of metric. Values in the model, in csv and in json are in the
/// profile's unit; what people read is divided by SCALE.
struct MetricKind {
  MetricId Id;
  const char *Noun;   ///< "Host RAM"
  const char *Symbol; ///< of the unit that people read, "MiB"; may be empty
  double Scale;       ///< 1048576 for MiB
  Aggregate How;
  /// Whether a narrow terminal leaves its columns out, the table's last first.
  bool IsOptional;
  /// Told above the table; null: nothing. "{}" in it is the value, with its
  /// unit, of a constant.
  const char *Sentence;
  /// The page's card of its highest value; null: none.
  const char *Card;
};

/// Every kind, in the order of the columns.
std::span<const MetricKind> metricKinds();

/// The kind that a profile calls NAME; null: a newer runtime's.
const MetricKind *findMetricKind(std::string_view Name);

/// "percent", "bytes", ...
const char *unitName(loopscope_metric_unit Unit);

/// csv header and json key, before "_mean" or "_max": the name and the unit.
std::string metricKey(const Metric &M);

/// Header in text and markdown; of an unknown metric its name.
std::string metricHeader(const Metric &M);

/// VALUE as people read it: one decimal below 100, whole numbers from there on.
std::string metricText(const Metric &M, double Value);

/// The highest value of a metric in the run; 0 without samples.
double highestValue(const DeviceData &D, MetricId Of);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_METRICS_H

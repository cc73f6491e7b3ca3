// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device samples by stage and phase: what the devices view shows.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_DEVICEROWS_H
#define LOOPSCOPE_ANALYSIS_DEVICE_DEVICEROWS_H

#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"

#include <string>
#include <vector>

namespace loopscope {

/// Samples of one metric.
struct SampleSum {
  uint64_t Count = 0;
  double Sum = 0;
  double Max = 0;

  double mean() const { return Sum / static_cast<double>(Count); }
  void add(const MetricSum &S);
};

/// The samples of one name in one stage, including everything below it.
struct DeviceRow {
  std::string Name;
  std::vector<SampleSum> Metrics; ///< as DeviceData::Metrics
};

/// One stage's samples.
struct DeviceStage {
  Stage Of;
  DeviceRow Total;
  /// Names with samples, by total time, descending: the simple view's order.
  std::vector<DeviceRow> Rows;
  /// Names of the stage that got no sample.
  unsigned Unseen = 0;
};

/// All samples of a run.
struct DeviceStages {
  std::vector<DeviceStage> List; ///< stages with samples
  /// Samples in no stage of List: the number of the metric that has most.
  uint64_t Outside = 0;
};

/// Sums up the run's samples.
DeviceStages sumDevices(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_DEVICEROWS_H

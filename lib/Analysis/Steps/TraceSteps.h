// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the time of a trace's steps went: each step's limits, its time split by
// role, and how busy the GPUs were.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_TRACESTEPS_H
#define LOOPSCOPE_ANALYSIS_STEPS_TRACESTEPS_H

#include "Analysis/Steps/RoleCoverage.h"
#include "Run/Model/Events.h"
#include "Run/Model/Gpu.h"
#include "Run/Model/Intervals.h"
#include "Run/Model/LaunchLinks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// Where a step begins and ends.
enum class StepLimits : uint8_t {
  Marks,     ///< at the marks on the host, as in every other view
  DeviceWork ///< with its device work, as in TensorBoard's plugin
};

/// One step. Roles add up to ns().
struct TraceStep {
  std::string Name; ///< the number after ProfilerStep#; "0" without steps
  Interval Time;    ///< by the chosen limits, ns
  uint32_t Track = UINT32_MAX; ///< that it is on; UINT32_MAX: the whole run
  int64_t CutNs = 0;           ///< of it, what cutsByTrack() finds
  uint64_t DeviceEvents = 0;
  std::array<int64_t, RoleCount> Roles{}; ///< ns
  Interval Host;                          ///< as recorded on the host, ns

  /// Its length without cuts.
  int64_t ns() const { return Time.End - Time.Start - CutNs; }
};

/// One GPU over the span of the steps. Shares are 0 to 1; negative if the trace
/// lacks what they need.
struct GpuUse {
  int64_t Device = 0;
  double Utilization = 0;   ///< share of time with a kernel running
  double SmEfficiency = -1; ///< estimated share of the multiprocessors in use
  double Occupancy = -1;    ///< estimated, in percent

  /// Takes the two estimates back if \p Kernel, which ran on this GPU, stands
  /// for a whole graph: blocks and occupancy of its kernels aren't known.
  void abstainFor(std::string_view Kernel) {
    if (isWholeGraph(Kernel))
      SmEfficiency = Occupancy = -1;
  }
};

/// The analysis of one trace.
struct StepAnalysis {
  std::vector<TraceStep> Steps;
  std::array<double, RoleCount> AverageRoles{}; ///< ns
  double AverageStep = 0;                       ///< ns
  std::vector<GpuUse> Gpus;                     ///< by device number
  bool UsesGpu = false;          ///< runtime calls or device work were recorded
  bool HasCommunication = false; ///< NCCL or Gloo
  bool HasWaits = false;         ///< inside the process
  size_t DroppedSteps = 0;       ///< at the end, without their device work
  /// How long work that the steps launched ran after the end of the last one.
  int64_t LateNs = 0;
  bool NoStepMarks = false;     ///< no ProfilerStep#: the run is one step
  uint64_t LaunchedKernels = 0; ///< kernels whose launch is known
  uint64_t ShortKernels = 0;    ///< of these, shorter than their launch

  /// Whether steps have time of the role \p R. Of what else is made from
  /// records, none may only mean that the file lacks them: it isn't 0.
  bool hasSeen(size_t R) const {
    return AverageRoles[R] > 0 || R == static_cast<size_t>(TimeRole::CpuExec) ||
           R == static_cast<size_t>(TimeRole::Other);
  }
};

/// By track, whether steps are on it; without steps, the host's longest track.
std::vector<bool> stepTracks(const EventStream &Trace);

/// What lies within steps and isn't theirs, by track: what the profiler took on
/// purpose, and in our own runs validation loops inside training steps.
std::map<uint32_t, IntervalSet> cutsByTrack(const EventStream &Trace);

StepAnalysis analyzeSteps(const EventStream &Trace, const LaunchLinks &Links,
                          StepLimits Limits = StepLimits::Marks);

/// Fills in the averages over Steps, which isn't empty.
void averageSteps(StepAnalysis &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_TRACESTEPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles in other programs' formats. Each exporter is a function from the
// model to the bytes of a file.

#ifndef LOOPSCOPE_REPORT_EXPORT_EXPORT_H
#define LOOPSCOPE_REPORT_EXPORT_EXPORT_H

#include "Run/Combine/Merge.h"
#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// PyTorch's trace format, for chrome://tracing, Perfetto, HTA and our own
/// reader: whole microseconds, steps as ProfilerStep#N, phases as cpu_op.
std::string exportChrome(const Run &R);

/// The same for several processes on one clock: each is a process of the trace,
/// and so are its devices. Their ids, and those that link events, are made up,
/// because hosts may use the same ones.
class ChromeTrace {
public:
  /// \p All needn't have their timelines yet. \p Lines, one for each, must
  /// outlive this.
  ChromeTrace(const std::vector<Run> &All, const std::vector<ClockLine> &Lines);

  /// Adds the next of them, with its timeline.
  void add(const Run &R);

  std::string finish();

private:
  const std::vector<ClockLine> &Lines;
  int64_t FirstNs = 0;
  size_t Count = 0;
  std::string Out;
};

/// Perfetto's protobuf: one track per thread, nanoseconds, names interned.
std::string exportPerfetto(const Run &R);

/// speedscope's evented JSON: the timeline or, for a run without one, the
/// call-path tree laid out in time.
std::string exportSpeedscope(const Run &R);

/// Folded stacks for flame graphs: "main;fit;epoch 1234", self time in
/// nanoseconds.
std::string exportFolded(const Run &R);

/// V8's .cpuprofile for editors: functions below their phases, with samples by
/// line; self times if the run has no samples.
std::string exportCpuProfile(const Run &R);

/// TensorBoard's scalar events: times of steps, of an epoch's phases, and
/// samples per second.
std::string exportTensorBoard(const Run &R);

/// One line per span of the timeline.
std::string exportCsv(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_EXPORT_EXPORT_H

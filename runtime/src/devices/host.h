// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures of the host and the process, from /proc: fixed buffers, no
// allocation, no open descriptor between readings.

#ifndef LOOPSCOPE_DEVICES_HOST_H
#define LOOPSCOPE_DEVICES_HOST_H

#include <loopscope/profile_format.h>

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The host's processor time in clock ticks, summed over all processors.
struct CpuTimes {
  uint64_t Busy = 0;  ///< neither idle nor waiting for input and output
  uint64_t Total = 0; ///< includes guests, as part of user time
};
/// Parses /proc/stat; false if the figures are missing.
bool parseCpuTimes(const char *Text, CpuTimes &Result);

/// The host's memory in KiB.
struct HostMemory {
  uint64_t Total = 0;
  uint64_t Available = 0;
  uint64_t SwapTotal = 0; ///< 0: no swap
  uint64_t SwapFree = 0;
};
/// Parses /proc/meminfo; false if a figure is missing (kernels before 3.14 lack
/// MemAvailable).
bool parseHostMemory(const char *Text, HostMemory &Result);

/// The process.
struct ProcessState {
  char State = 0;       ///< of its main thread: 'Z' once that has ended
  uint64_t Threads = 0; ///< number of threads
  uint64_t ResidentPages = 0;
  int ExitCode = 0; ///< of its main thread, once that has ended
};
/// Parses /proc/self/stat; false if the figures are missing.
bool parseProcessState(const char *Text, ProcessState &Result);

/// The host's metrics. CpuPercent: 100 means all processors; ProcessCpuPercent:
/// 100 means one core; ProcessThreads excludes the sampler's own threads.
enum HostMetric {
#define LOOPSCOPE_METRIC_IDENTIFIER_(IDENTIFIER, NAME, UNIT) IDENTIFIER,
  LOOPSCOPE_HOST_METRICS(LOOPSCOPE_METRIC_IDENTIFIER_)
#undef LOOPSCOPE_METRIC_IDENTIFIER_
      HostMetricCount
};

/// A value, if there is one.
struct Reading {
  double Value = 0;
  bool Known = false;
};

/// Reads the host's metrics. Keeps the previous readings, because processor
/// time is measured between two of them.
class HostReader {
public:
  /// Reads CpuPercent.
  void readProcessors(Reading *Into);
  /// Reads CpuVmPercent and CpuSwapPercent.
  void readMemory(Reading *Into);
  /// Reads ProcessCpuPercent, ProcessRss and ProcessThreads. In all three
  /// functions, INTO is indexed by HostMetric.
  void readProcess(Reading *Into);

  /// Whether the process's main thread has ended, according to /proc.
  bool mainThreadEnded() const { return MainEnded; }
  /// The code with which it ended.
  int mainThreadExitCode() const { return MainExitCode; }
  /// Whether /proc/self/stat was readable the last time.
  bool hasProc() const { return HasProc; }

private:
  CpuTimes LastTimes;
  bool HasTimes = false;
  uint64_t LastWallNs = 0;
  uint64_t LastCpuNs = 0;
  bool MainEnded = false;
  int MainExitCode = 0;
  bool HasProc = false;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_HOST_H

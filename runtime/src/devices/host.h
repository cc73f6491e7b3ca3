// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host and the process are doing, from /proc: fixed buffers, no
// allocation, no open descriptor between two readings.

#ifndef LOOPSCOPE_DEVICES_HOST_H
#define LOOPSCOPE_DEVICES_HOST_H

#include <loopscope/profile_format.h>

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The host's processor time in clock ticks, summed over all processors.
struct CpuTimes {
  uint64_t Busy = 0;  ///< neither idle nor waiting for input and output
  uint64_t Total = 0; ///< guests count as their host's user time
};
/// From the text of /proc/stat; false when it isn't there.
bool parseCpuTimes(const char *Text, CpuTimes &Result);

/// The host's memory in KiB.
struct HostMemory {
  uint64_t Total = 0;
  uint64_t Available = 0;
  uint64_t SwapTotal = 0; ///< 0: no swap
  uint64_t SwapFree = 0;
};
/// From the text of /proc/meminfo; false when a figure is missing (kernels
/// before 3.14 don't know MemAvailable).
bool parseHostMemory(const char *Text, HostMemory &Result);

/// The process.
struct ProcessState {
  char State = 0;       ///< of its main thread: 'Z' when that has ended
  uint64_t Threads = 0; ///< all of them
  uint64_t ResidentPages = 0;
};
/// From the text of /proc/self/stat; false when it isn't there.
bool parseProcessState(const char *Text, ProcessState &Result);

/// What the host's metrics are: CpuPercent is the host's, 100 for all
/// processors; ProcessCpuPercent 100 for one core; ProcessThreads are without
/// the sampler's own.
enum HostMetric {
#define LOOPSCOPE_METRIC_IDENTIFIER_(IDENTIFIER, NAME, UNIT) IDENTIFIER,
  LOOPSCOPE_HOST_METRICS(LOOPSCOPE_METRIC_IDENTIFIER_)
#undef LOOPSCOPE_METRIC_IDENTIFIER_
      HostMetricCount
};

/// A value, or none.
struct Reading {
  double Value = 0;
  bool Known = false;
};

/// Reads the host's metrics; remembers what the readings before were, because
/// processor time is about the time between two of them.
class HostReader {
public:
  /// CpuPercent.
  void readProcessors(Reading *Into);
  /// CpuVmPercent, CpuSwapPercent.
  void readMemory(Reading *Into);
  /// ProcessCpuPercent, ProcessRss, ProcessThreads. INTO is indexed by
  /// HostMetric in all three.
  void readProcess(Reading *Into);

  /// Whether the process's main thread has ended, as far as /proc tells.
  bool mainThreadEnded() const { return MainEnded; }
  /// Whether /proc/self/stat could be read the last time.
  bool hasProc() const { return HasProc; }

private:
  CpuTimes LastTimes;
  bool HasTimes = false;
  uint64_t LastWallNs = 0;
  uint64_t LastCpuNs = 0;
  bool MainEnded = false;
  bool HasProc = false;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_HOST_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits on the process: the processor quota of its control groups, and the
// kernel's memory pressure (PSI). Fixed buffers, no allocation, no open
// descriptor between readings.

#ifndef LOOPSCOPE_DEVICES_LIMITS_H
#define LOOPSCOPE_DEVICES_LIMITS_H

#include "host.h"

namespace loopscope::runtime {

/// The use of a control group's processor quota since the group was made.
struct QuotaUse {
  uint64_t Periods = 0;     ///< periods in which it ran; 0: it has no quota
  uint64_t Throttled = 0;   ///< those in which the quota was used up
  uint64_t ThrottledNs = 0; ///< total time, summed over processors
};
/// Parses a cpu.stat of either version of control groups; false if it has no
/// quota.
bool parseQuotaUse(const char *Text, QuotaUse &Result);

/// How long some, and all, tasks waited for memory, in microseconds.
struct Pressure {
  uint64_t SomeUs = 0;
  uint64_t FullUs = 0;
};
/// Parses memory.pressure or /proc/pressure/memory; false if the figures are
/// missing.
bool parsePressure(const char *Text, Pressure &Result);

/// Location of the process's control groups.
struct GroupPlace {
  char Base[64] = "";   ///< mount point of the hierarchy, below the root
  char Path[1024] = ""; ///< the process's group in it; "": the base itself
};
/// Parses /proc/self/cgroup: the hierarchy with the cpu controller, version 1
/// if there is one. False if there is none.
bool parseGroups(const char *Text, GroupPlace &Result);

/// Keeps the previous readings: the figures are shares of the time in between.
class LimitsReader {
public:
  constexpr LimitsReader() = default;
  /// Tests replace "/" by ROOT.
  explicit constexpr LimitsReader(const char *Root) : Root(Root) {}

  /// CpuThrottledPercent: 100 means that one processor was withheld all the
  /// time. CpuThrottledPeriods: share of the scheduler's periods, for the most
  /// throttled of the process's group and its parents. Unknown without a quota.
  /// NOW_NS only grows.
  void readThrottling(uint64_t NowNs, Reading *Into);
  /// MemoryPressureSome and MemoryPressureFull, of the process's control group
  /// or of the host.
  void readPressure(uint64_t NowNs, Reading *Into);

private:
  // More nesting levels than anyone has.
  static constexpr unsigned MostLevels = 16;

  bool findGroups();

  const char *Root = "";
  GroupPlace Place;
  QuotaUse Last[MostLevels];
  uint64_t LastQuotaNs = 0;
  Pressure LastPressure;
  uint64_t LastPressureNs = 0;
  bool PressureIsGroups = false;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_LIMITS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds the process back: the processor quota of its control groups, and
// the kernel's memory pressure (PSI). Fixed buffers, no allocation, no open
// descriptor between two readings.

#ifndef LOOPSCOPE_DEVICES_LIMITS_H
#define LOOPSCOPE_DEVICES_LIMITS_H

#include "host.h"

namespace loopscope::runtime {

/// A control group's processor quota, since the group was made.
struct QuotaUse {
  uint64_t Periods = 0;     ///< in which it ran; 0: it has no quota
  uint64_t Throttled = 0;   ///< of them, those in which the quota was used up
  uint64_t ThrottledNs = 0; ///< for how long, summed over processors
};
/// From the text of a cpu.stat, of either version of control groups; false
/// where there is no quota in it.
bool parseQuotaUse(const char *Text, QuotaUse &Result);

/// For how long some, and all, of the tasks waited for memory, in microseconds.
struct Pressure {
  uint64_t SomeUs = 0;
  uint64_t FullUs = 0;
};
/// From the text of memory.pressure or /proc/pressure/memory; false when it
/// isn't there.
bool parsePressure(const char *Text, Pressure &Result);

/// Where the process's control groups lie.
struct GroupPlace {
  char Base[64] = "";   ///< the mounted hierarchy, below the root
  char Path[1024] = ""; ///< the process's group in it; "" is the base itself
};
/// From the text of /proc/self/cgroup: the hierarchy with the cpu controller,
/// version 1 if there is one. False where it isn't there.
bool parseGroups(const char *Text, GroupPlace &Result);

/// Remembers what the readings before were: figures are shares of the time
/// between two of them.
class LimitsReader {
public:
  constexpr LimitsReader() = default;
  /// ROOT stands in for "/" in tests.
  explicit constexpr LimitsReader(const char *Root) : Root(Root) {}

  /// CpuThrottledPercent: 100 for one processor that was withheld all the time.
  /// CpuThrottledPeriods: of the scheduler's periods, of that group among the
  /// process's own and those around it that was held back most.
  /// Unknown without a quota. NOW_NS only grows.
  void readThrottling(uint64_t NowNs, Reading *Into);
  /// MemoryPressureSome, MemoryPressureFull: of the process's control group, or
  /// of the host.
  void readPressure(uint64_t NowNs, Reading *Into);

private:
  // More groups around each other than anybody has.
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

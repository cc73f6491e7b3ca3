// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roles of time in steps, and when each of them has some.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_ROLECOVERAGE_H
#define LOOPSCOPE_ANALYSIS_STEPS_ROLECOVERAGE_H

#include "Run/Model/Events.h"
#include "Run/Model/Intervals.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace loopscope {

/// What a piece of a step's time was spent on, in order of priority: a role
/// takes whatever time it covers that no earlier one took.
enum class Role : uint8_t {
  Kernel,
  Memcpy,
  Memset,
  Communication,
  Runtime,
  DataLoader,
  Wait, ///< inside the process: what is marked as a wait
  CpuExec,
  Other
};
inline constexpr size_t RoleCount = 9;

/// The name of a role in every view: "CPU Exec".
const char *roleName(Role Which);

/// By role but Other, which has what no role covers.
using RoleSets = std::array<IntervalSet, RoleCount - 1>;

/// What each role covers, over the whole of a trace. If several tracks have
/// steps, what one of them does is in no other's steps. In our own runs, only
/// what devices do and communication are in steps though they are on other
/// tracks.
class RoleCoverage {
public:
  /// \p OnSteps: by track, stepTracks() of \p Trace, which must live as long.
  RoleCoverage(const EventStream &Trace, std::vector<bool> OnSteps);

  bool isByTrack() const { return IsByTrack; }
  bool has(Role Which) const { return Has[static_cast<size_t>(Which)]; }

  /// For the steps on \p Track; for all of them unless isByTrack().
  RoleSets of(uint32_t Track) const;

private:
  using Ranges = std::array<std::vector<Interval>, RoleCount - 1>;

  void add(const TraceEvent &Event);
  void addNamed(const TraceEvent &Event);
  void addHost(Role To, const TraceEvent &Event);
  void addShared(Role To, const TraceEvent &Event);

  const EventStream &Trace;
  std::vector<bool> OnSteps; // by track
  bool IsByTrack = false;
  Ranges Shared;
  std::map<uint32_t, Ranges> OfTrack;
  std::array<bool, RoleCount> Has{};
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_ROLECOVERAGE_H

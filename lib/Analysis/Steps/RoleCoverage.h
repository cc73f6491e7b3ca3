// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the events of a run cover: devices, and each track of the host, by use.
// Roles of time in steps and the verdict's uses are sets of these.

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
enum class TimeRole : uint8_t {
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
const char *roleName(TimeRole Which);

/// By role but Other, which has what no role covers.
using RoleSets = std::array<IntervalSet, RoleCount - 1>;

/// What a track of the host did, in the order of events.
struct HostTimes {
  std::vector<Interval> Steps, Input;
  std::vector<Interval> Waits;     ///< marked
  std::vector<Interval> Execution; ///< operators, also those in Exchanges
  std::vector<Interval> Exchanges; ///< communicates, or asks for it
  std::vector<Interval> Launch, Blocked, OtherCalls; ///< of the runtime
  std::vector<Interval> Collectives;
};

/// What a device did, in the order of events.
struct DeviceTimes {
  std::vector<Interval> Kernels; ///< that don't communicate
  std::vector<Interval> Exchanges, Copies, Sets;
};

/// What each use covers, over the whole of a trace. If several tracks have
/// steps, what one of them does is in no other's steps.
class RoleCoverage {
public:
  static constexpr uint32_t AnyTrack = UINT32_MAX;

  /// \p OnSteps: by track, stepTracks() of \p Trace. \p AllThreads: what other
  /// tracks of the host do is in the steps; else, as in our own runs, only what
  /// devices do and communication are. Marked waits are their own track's.
  RoleCoverage(const EventStream &Trace, std::vector<bool> OnSteps,
               bool AllThreads);

  bool isByTrack() const { return IsByTrack; }
  bool has(TimeRole Which) const;

  /// For the steps on \p Track; for all of them unless isByTrack().
  RoleSets of(uint32_t Track) const;

  /// What a role covers in the steps on \p Track, or on AnyTrack.
  IntervalSet of(uint32_t Track, TimeRole Which) const;

  /// What \p Of covers in the steps on \p Track.
  IntervalSet of(uint32_t Track, std::vector<Interval> HostTimes::*Of) const;

  /// The tracks that have steps.
  std::vector<uint32_t> stepTracks() const;

  std::vector<HostTimes> Hosts;            ///< by track
  std::map<int64_t, DeviceTimes> Devices;  ///< by device number
  std::vector<Interval> HostCommunication; ///< on any track

private:
  void add(const TraceEvent &Event, int64_t Device);
  template <typename Function>
  void visit(TimeRole Which, uint32_t Track, Function Visit) const;
  bool counts(uint32_t Host, uint32_t Track) const;

  std::vector<bool> OnSteps; // by track
  bool AllThreads = false;
  bool IsByTrack = false;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_ROLECOVERAGE_H

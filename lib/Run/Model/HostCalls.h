// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call trees of a trace's host threads, with host and device time: what the
// operators view adds up and the tree view shows.
//
//   events of a track, sorted -> divided at the borders of steps (StepParts.h)
//   -> nesting by containment -> runtime calls by External id -> chains of
//   same-named single children merged -> times

#ifndef LOOPSCOPE_RUN_MODEL_HOSTCALLS_H
#define LOOPSCOPE_RUN_MODEL_HOSTCALLS_H

#include "Run/Model/Events.h"
#include "Run/Model/FrameTimes.h"
#include "Run/Model/LaunchLinks.h"
#include "Run/Model/Losses.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// A host event in the call tree, or the part of one in one step or outside
/// steps. Times are ns.
struct HostCall {
  static constexpr uint32_t None = UINT32_MAX;

  uint32_t Event = 0;     ///< in EventStream::Events
  uint32_t PartOf = None; ///< for a later part: the event's first one
  uint32_t Parent = None;
  uint32_t FirstChild = None;
  uint32_t NextSibling = None;
  bool Merged = false;   ///< part of its parent, which has the same name
  bool IsCut = false;    ///< because it overlaps another without nesting
  int64_t Start = 0;     ///< the event's, unless this is a part of it
  int64_t HostTotal = 0; ///< shorter than the event if that was cut
  int64_t HostSelf = 0;  ///< less children, runtime calls, Python functions
  int64_t DeviceTotal = 0;
  int64_t DeviceSelf = 0; ///< of its own launches

  int64_t end() const { return Start + HostTotal; }
};

/// All threads' calls.
struct HostCalls {
  /// The calls of each track are contiguous, tracks in order of appearance.
  /// Within a track they are sorted by start, so every call comes after its
  /// parent.
  std::vector<HostCall> Calls;
  /// Events that overlap a neighbour without nesting, and were cut to nest.
  uint64_t Overlapping = 0;
  int64_t CutNs = 0; ///< that they lost
  LargestCuts Cuts;
  /// Python frames that do so.
  uint64_t ClippedFrames = 0;
  /// Runtime calls without an operator, and the time of the device work that
  /// they launched (ns).
  uint64_t UnownedRuntimes = 0;
  int64_t UnownedDeviceTime = 0;
};

/// Which annotations are included.
enum class CallKinds {
  Operators,  ///< operators and steps, as operator tables count, and the
              ///< annotations whose name an operator has inside it
  Everything, ///< also annotations and Python functions, for the tree view
  Phases      ///< steps, annotations and the operators that are phases, alone
};

/// Whether calls of \p Kinds may include \p Event.
bool takesPart(const TraceEvent &Event, CallKinds Kinds);

/// Builds the trees of \p Trace. A step is a mark on time. What crosses its
/// border is divided there, and in operator tables a step contains nothing. Of
/// two other events that overlap without nesting, a Python frame is cut, else
/// the one that loses less. \p InFrames is how long calls ran Python functions
/// that aren't calls themselves.
HostCalls buildHostCalls(const EventStream &Trace, const LaunchLinks &Links,
                         CallKinds Kinds,
                         const std::vector<FrameTime> &InFrames = {});

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_HOSTCALLS_H

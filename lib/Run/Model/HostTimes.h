// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread spent the time of a call path, as far as that is known: plain
// values. It is judged once for each path, from what the kernel says about the
// paths around it; paths are then added up.

#ifndef LOOPSCOPE_RUN_MODEL_HOSTTIMES_H
#define LOOPSCOPE_RUN_MODEL_HOSTTIMES_H

#include "Run/Model/Cpu.h"

#include <loopscope/profile_format.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace loopscope {

/// Nanoseconds of wall time, split without overlap. What can't be shown to
/// belong to one use is Unknown.
struct HostUse {
  int64_t Computing = 0; ///< on the processor, which may wait for memory
  int64_t Faulting = 0;  ///< with page faults, on the processor or reading
  int64_t Starved = 0;   ///< ready to run, without a processor
  int64_t Waiting = 0;   ///< off the processor for any other reason
  /// Of Waiting, while other threads of the process computed: the share of the
  /// time in which, on average, one did.
  int64_t BesideThreads = 0;
  /// Of Waiting, where the time on the run queue wasn't read: the thread left
  /// the processor by itself, but may have been ready before it came back.
  int64_t MaybeReady = 0;
  int64_t Unknown = 0;

  int64_t known() const;
  int64_t all() const;
  void add(const HostUse &Other);
};

/// One way to spend time. See HostUse.
enum class TimeUse : uint8_t {
  Computing,
  Faulting,
  Starved,
  OwnThreads, ///< waiting while the program's other threads computed
  Waiting,    ///< off the processor, or in a marked wait, for anything else
  Device,     ///< in calls that wait for a device
  Communicating,
  Profiler,
  Unknown
};

inline constexpr size_t TimeUseCount = 9;

/// Nanoseconds by use; they add up to the part.
using TimeUses = std::array<int64_t, TimeUseCount>;

/// What is known about a node's own time, from its whole tree.
struct HostTime {
  int64_t OwnNs = 0; ///< without its children and a loop's last draw
  /// For OwnNs. MeasuredNs equals that, or is 0 if nothing is known.
  CpuSums Cpu;
  /// The node whose figures include OwnNs: itself, or a measured one around it.
  uint32_t StandsFor = LOOPSCOPE_NONE;
  /// Whether the node is one of several processes, and this the sum of theirs.
  bool IsSum = false;
  // Of plain phases (FoldedRanks.h):
  HostUse Use;     ///< of OwnNs
  TimeUses Uses{}; ///< of OwnNs without hooks

  /// Adds what is known about the same path in another process.
  void add(const HostTime &Other);
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_HOSTTIMES_H

// A profile in memory: plain values, checked, in nanoseconds. Made by
// readProfile; views compute on it and never see the file.
//
// Times of a tree add up exactly, node by node, in whole nanoseconds:
//   InclusiveNs = SelfNs + HookNs + the children's InclusiveNs
#ifndef LOOPSCOPE_PROFILE_MODEL_H
#define LOOPSCOPE_PROFILE_MODEL_H

#include "Profile/Devices.h"
#include "Profile/Gpu.h"
#include "Profile/Moments.h"

#include <loopscope/profile_format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// "No such index".
inline constexpr uint32_t None = LOOPSCOPE_NONE;

/// One place in the source, or of several that share kind and name.
struct Site {
  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE;
  std::string Name;
  std::string File;
  std::string Function;
  uint32_t Line = 0;
};

/// One call path.
struct Node {
  uint32_t Parent = None; ///< always less than the node's own index
  uint32_t Thread = 0;
  uint32_t Site = None; ///< None for roots
  loopscope_kind Kind = LOOPSCOPE_KIND_ROOT;
  bool Warmup = false;            ///< a STEP of the warm-up
  bool Open = false;              ///< a span was open when the profile was read
  std::vector<uint32_t> Children; ///< in order of first visit

  int64_t InclusiveNs = 0; ///< finished, uncounted and open time
  int64_t SelfNs = 0;      ///< less children and own cost
  int64_t HookNs = 0;      ///< estimated own cost of the hooks in this node
  int64_t FinishedNs = 0;  ///< finished spans alone
  Moments Spans;           ///< finished spans

  uint64_t Samples = 0;   ///< STEP: samples processed
  double RateSum = 0;     ///< sum over RateCount steps of samples / second
  uint64_t RateCount = 0; ///< steps with a sample count and a duration
  GpuCalls Calls;         ///< CUDA calls made in it, not in its children
};

/// One call-path tree, and the threads that used it one after the other.
struct Thread {
  std::string Process; ///< in a merged profile: "rank 3"; else empty
  std::string Name;
  int64_t Tid = 0;
  bool IsMain = false;
  uint32_t Users = 1;
  uint32_t Root = None;
  int64_t LifetimeNs = 0; ///< the main thread's is the run's wall time
};

/// One span of the timeline.
struct TimelineSpan {
  uint32_t Node = None;
  bool Open = false;   ///< had not ended when the profile was read
  int64_t StartNs = 0; ///< since the run's start
  int64_t EndNs = 0;
  int64_t Step = -1; ///< a STEP's number within its loop, from 0
};

/// How a run ended.
enum class End { Running, Exited, Signal };

/// What was lost, repaired or left open; all zero in a clean profile.
struct Integrity {
  uint64_t SpansLost = 0;
  uint64_t DepthFolded = 0;
  uint64_t ClockClamped = 0;
  uint64_t Popped = 0;
  uint64_t StrayEnds = 0;
  uint64_t Reentrant = 0;
  uint64_t BadSamples = 0;
  uint64_t StepsExcluded = 0; ///< outside the window
  uint64_t EventsDropped = 0;
  uint64_t ThreadsLost = 0;
  uint64_t GpuDropped = 0;        ///< records that CUPTI dropped
  uint64_t GpuNoTime = 0;         ///< work without time stamps
  uint64_t GpuUnresolved = 0;     ///< work whose launch is unknown
  uint64_t GpuBuffersRefused = 0; ///< buffers denied to CUPTI
  uint64_t GpuOutside = 0;        ///< work with impossible times, left out
  uint64_t GpuLate = 0;           ///< work too late for unions and idle times
  uint64_t GpuEventsDropped = 0;  ///< GPU timeline events overwritten
  uint64_t GpuLost = 0;           ///< work not recorded: no memory
  uint64_t GpuForeign = 0;        ///< launches of threads without a span
  uint64_t GpuMemoryLate = 0;     ///< allocations and frees too late for peaks
  /// GPU records that were being written when the profile was read.
  uint64_t TornGpu = 0;
  uint64_t NvtxLeftOut = 0; ///< NVTX ranges that need not nest
  uint64_t NvtxUnnamed = 0; ///< NVTX ranges beyond the limit of names
  uint64_t OpenSpans = 0;
  /// Nodes whose statistics were being written when the profile was read.
  uint64_t TornNodes = 0;
  /// Records that contradict themselves or the file, left out.
  uint64_t BadRecords = 0;
  /// Bytes that the header promises and the file doesn't have.
  uint64_t BytesMissing = 0;
  bool Anonymous = false;
  bool TscDistrusted = false;
  /// The clock went back: the run ends before it starts by it, or before its
  /// phases do, and is taken to be as long as these.
  bool ClockWentBack = false;
  std::vector<std::string> MissingFiles; ///< built without their hooks
};

/// One run of one process.
struct Profile {
  std::string Path; ///< as given
  std::string Program;
  std::string CommandLine;
  std::string WorkingDirectory;
  std::string Host;
  std::string Options; ///< LOOPSCOPE= as given
  int Pid = 0;
  int Rank = -1; ///< -1: not a distributed run
  int WorldSize = 0;
  bool Forked = false;
  loopscope_mode Mode = LOOPSCOPE_MODE_SIMPLE;
  End Ended = End::Running;
  int EndCode = 0; ///< exit code or signal number
  int64_t StartRealtimeNs = 0;
  int64_t StartMonotonicNs = 0; ///< since the host's boot
  int64_t WallNs = 0;
  uint32_t WarmupSteps = 0;
  bool WarmupPerEpoch = false;
  /// Own cost of one span: within its own duration, and on its parent.
  double HookInsideNs = 0;
  double HookOutsideNs = 0;

  std::vector<Site> Sites;
  std::vector<Node> Nodes; ///< parents before children
  std::vector<Thread> Threads;
  Integrity Lost;
  GpuData Gpu;
  DeviceData Devices;
  /// Per thread, what its ring of events still holds, parents before children
  /// and by start. Only when it was asked for; empty unless LOOPSCOPE=trace.
  std::vector<std::vector<TimelineSpan>> Timeline;

  /// The site's name, empty for roots.
  const std::string &nameOf(const Node &N) const {
    static const std::string Empty;
    return N.Site == None ? Empty : Sites[N.Site].Name;
  }
};

/// A + B, held at the limits of int64_t: sums over a hostile profile must not
/// overflow.
inline int64_t saturatingAdd(int64_t A, int64_t B) {
  int64_t Sum = 0;
  if (__builtin_add_overflow(A, B, &Sum))
    return B < 0 ? INT64_MIN : INT64_MAX;
  return Sum;
}

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_MODEL_H

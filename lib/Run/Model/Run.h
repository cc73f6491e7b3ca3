// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one model of a run, as facets: plain values, checked, in nanoseconds.
//
//   facts and losses      who ran, where, how it ended, what is not there
//   Sites, Nodes, Threads the tree of call paths
//   Timeline              spans of threads
//   Stream                events, with links from launches to device work
//   Gpu, Devices          device work by call path, samples of devices
//   Stacks                samples of threads' processor time
//   Ranges, RangeSpans    that need not nest, by name and one by one
//   Values                numbers that the program told, over time
//   Keys                  what tells nodes of one place apart
//   Inputs                what operators were called with
//   OperatorLinks         backward operators and their forward ones
//   Whatif                experiments: blocks of steps
//   Collectives, Peers    instances of communication between ranks; who sent
//                         how much to whom
//   OwnSteps              own time of single steps, the same ones in all ranks
//   Exchanged             communication of a traced process
//
// readProfile fills the tree and what hangs on it, and the timeline when asked;
// readKinetoTrace fills the events. addTree (CallTree.h) sums a trace's events
// up to a tree, and eventsOf (TimelineEvents.h) gives a timeline's spans as
// events, where a view needs that. Views compute on facets and never see the
// file.
//
// Times of a tree add up exactly, node by node, in whole nanoseconds:
//   InclusiveNs = SelfNs + HookNs + ExcludedNs + the children's InclusiveNs

#ifndef LOOPSCOPE_RUN_MODEL_RUN_H
#define LOOPSCOPE_RUN_MODEL_RUN_H

#include "Run/Model/Amounts.h"
#include "Run/Model/Collectives.h"
#include "Run/Model/Cpu.h"
#include "Run/Model/Devices.h"
#include "Run/Model/Events.h"
#include "Run/Model/Facts.h"
#include "Run/Model/FileSpans.h"
#include "Run/Model/Gpu.h"
#include "Run/Model/History.h"
#include "Run/Model/HostTimes.h"
#include "Run/Model/Keys.h"
#include "Run/Model/Losses.h"
#include "Run/Model/MemoryOverTime.h"
#include "Run/Model/Moments.h"
#include "Run/Model/Operators.h"
#include "Run/Model/Parts.h"
#include "Run/Model/Ranges.h"
#include "Run/Model/Recorder.h"
#include "Run/Model/Settings.h"
#include "Run/Model/Stacks.h"
#include "Run/Model/Traffic.h"
#include "Run/Model/Values.h"
#include "Run/Model/Whatif.h"
#include "Support/Paths.h"

#include <loopscope/profile_format.h>

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace loopscope {

/// "No such index".
inline constexpr uint32_t None = LOOPSCOPE_NONE;

/// Whose operation a place in the source is.
enum class SiteUse : uint8_t {
  None,
  Nccl, ///< as PyTorch records it: "nccl:all_reduce"
  Gloo, ///< likewise, and as our wrappers name its start
  Wait, ///< LibTorch's host waits for other ranks in it
  Mpi   ///< a call of MPI, which our wrappers name
};

/// Whether it is the host's part of communication between ranks.
constexpr bool isExchange(SiteUse Use) {
  return Use == SiteUse::Nccl || Use == SiteUse::Gloo;
}

/// A place in the source, or several that share kind and name.
struct Site {
  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE;
  std::string Name;
  std::string File;
  std::string Function;
  uint32_t Line = 0;
  SiteUse Use = SiteUse::None;
  /// For a function whose hooks were switched off during the run: when, since
  /// the run's start. Its calls and times are those until then. For merged
  /// runs, the earliest. -1 if they weren't.
  int64_t OffSinceNs = -1;
};

/// One call path.
struct Node {
  uint32_t Parent = None; ///< always less than the node's own index
  uint32_t Thread = 0;
  uint32_t Site = None; ///< None for roots
  loopscope_kind Kind = LOOPSCOPE_KIND_ROOT;
  bool Warmup = false;            ///< a STEP of the warm-up
  bool Excluded = false;          ///< a STEP outside the window or in pauses
  bool Open = false;              ///< a span was open when the profile was read
  bool IsCut = false;             ///< the profiler took this time on purpose
  std::vector<uint32_t> Children; ///< in order of first visit

  int64_t InclusiveNs = 0; ///< finished, uncounted and open time
  int64_t SelfNs = 0;      ///< less children, own cost and what is excluded
  int64_t HookNs = 0;      ///< estimated time of the hooks in this node
  /// BATCH: in excluded steps, and in those that a pause cut off. What phases
  /// recorded in the latter is in theirs, too; this is at most what they leave.
  int64_t ExcludedNs = 0;
  int64_t FinishedNs = 0; ///< finished spans alone
  Moments Spans;          ///< finished spans
  /// Of Spans: those that something else than their own end has ended; and
  /// whether ends of some of them came later.
  uint64_t EndedEarly = 0;
  bool EndCameLater = false;
  bool EndedElsewhere = false;    ///< ends of open ones came on other threads
  bool EndedOnOtherFibre = false; ///< the same of fibres
  bool FibreEnded = false;        ///< its fibre ended while some were open

  uint64_t Samples = 0;      ///< STEP: samples processed
  double RateSum = 0;        ///< sum over RateCount steps of samples / second
  uint64_t RateCount = 0;    ///< steps with a sample count and a duration
  bool EqualSamples = false; ///< these had the same number of samples
  PerAmount<GivenAmount> Amounts; ///< of the node itself
  GpuCalls Calls;     ///< CUDA calls made in it, not in its children
  CpuSums Cpu;        ///< of its measured spans, children included
  uint64_t Bytes = 0; ///< COLLECTIVE: bytes moved, from the annotation
  /// For an operation that the host only enqueues on a device: the node's time
  /// isn't the operation's.
  bool IsEnqueued = false;
  uint64_t OnDeviceCalls = 0; ///< those of them for which the next is known:
  int64_t OnDeviceNs = 0;     ///< how long devices worked on them
  int64_t EnterNs = 0;        ///< of an open span: its start, since the run's
  uint32_t Key = None;        ///< in Run::Keys; None: it has no key
  uint32_t Inputs = None;     ///< OPERATOR: in Run::Inputs; None: not recorded
  /// Of a loop: the steps with which its executions began, without those of the
  /// warm-up, their time, and of that their draws.
  uint64_t FirstSteps = 0;
  int64_t FirstNs = 0, FirstDrawNs = 0;
  uint64_t Requests = 0; ///< nonblocking calls that have ended, and how long
  int64_t RequestNs = 0; ///< they took, from the call to the end

  /// Its time in spans that count, with the open one.
  int64_t countedNs() const { return Open ? InclusiveNs : FinishedNs; }

  /// Of HookNs, what the hooks cost: without the time of other threads.
  int64_t costNs() const {
    return std::max<int64_t>(0, HookNs - Cpu.InterruptedNs);
  }
};

/// A call-path tree, and the threads that used it one after another.
struct Thread {
  std::string Process; ///< in a merged profile: "rank 3"; else empty
  std::string Name;
  int64_t Tid = 0;
  bool IsMain = false;
  uint32_t Users = 1;
  uint32_t Root = None;
  int64_t LifetimeNs = 0; ///< the main thread's is the run's wall time
  /// The open node in which the thread waits for one at least of these ranks;
  /// None: it isn't known to wait. Any: it may be any rank.
  uint32_t AwaitingIn = None;
  std::vector<int64_t> Awaited;
  bool AwaitsMore = false; ///< of ranks that aren't in the list
  static constexpr int64_t Any = -1;
};

/// One span of the timeline.
struct TimelineSpan {
  uint32_t Node = None;
  bool Open = false;   ///< had not ended when the profile was read
  int64_t StartNs = 0; ///< since the run's start
  int64_t EndNs = 0;
  int64_t Step = -1; ///< a STEP's number within its loop, from 0
};

/// By thread, its spans.
using ThreadLanes = std::vector<std::vector<TimelineSpan>>;

/// How a run ended. Running: it hasn't said; Gone: nor will it, because its
/// process is gone. Reset: a part of it, when the program began a new profile.
enum class End { Running, Exited, Signal, Gone, Reset };

/// What bounds the ranks of a run together, which no sum of theirs shows:
/// all empty if that isn't known.
struct RanksVerdict {
  std::string Class;   ///< "load-imbalanced", "communication-bound"
  std::string Text;    ///< sentences, of which the first is the verdict
  std::string Remedy;  ///< a sentence; empty: nothing but less communication
  double LostPart = 0; ///< with Remedy: of the step time, at most
  /// With Remedy: the phase that late ranks take longer in; empty: no single
  /// one.
  std::string Phase, File;
  uint32_t Line = 0;
};

/// What a run says about itself, apart from its figures.
struct RunInfo {
  const Recorder *By = &OurRuntime;
  std::string Path; ///< as given
  std::string Program;
  std::string CommandLine;
  std::string WorkingDirectory;
  std::string Host;
  std::string Options; ///< LOOPSCOPE= as given
  int Pid = 0;
  int64_t Rank = -1; ///< -1: not a distributed run
  int64_t WorldSize = 0;
  std::string RunId;      ///< of a rank: the same in all of its run; else empty
  std::string RankSource; ///< the variable that gave Rank; may be empty
  bool Forked = false;
  bool IsCopy = false; ///< in a merged file, without a timeline
  /// It holds no command line, and what is made of it must hold no source.
  bool IsPrivate = false;
  loopscope_mode Mode = LOOPSCOPE_MODE_SIMPLE;
  End Ended = End::Running;
  int EndCode = 0; ///< exit code or signal number
  int64_t StartRealtimeNs = 0;
  /// Since the host's boot. For a trace with a timeline, its first event, since
  /// StartRealtimeNs.
  int64_t StartMonotonicNs = 0;
  int64_t WallNs = 0;
  RunParts Parts;             ///< where the program began new profiles
  Settings Given;             ///< by words of LOOPSCOPE=, as numbers
  std::vector<RunFact> Facts; ///< in the order in which they came
  uint32_t WarmupSteps = 0;
  bool WarmupPerEpoch = false;
  /// The profiler's cost per span: within the span's own duration, and on its
  /// parent.
  double HookInsideNs = 0;
  double HookOutsideNs = 0;

  // For traces; profiles have them in Gpu.
  std::vector<DeviceProperties> Properties;
  /// The highest "Total Allocated" and "Total Reserved" of each GPU, bytes.
  std::map<int64_t, int64_t> PeakMemory;
  std::map<int64_t, int64_t> PeakReserved;
  /// The highest "Total Allocated" of the CPU, bytes, by process: "rank 3" if
  /// there are several traces, else empty.
  std::map<std::string, int64_t> PeakHostMemory;
  int64_t SchemaVersion = -1;
  std::string Backend;     ///< of distributedInfo
  uint64_t EventCount = 0; ///< complete events of the file
  /// How many files of the process were joined (TraceCycles.h), and what their
  /// names have in common; may be empty.
  uint32_t Cycles = 1;
  std::string Worker;
  bool IsMerged = false; ///< of several processes; Path joins their files
  RanksVerdict OfRanks;  ///< of a merged run; may be empty

  Integrity Lost;

  /// Identifies a process among the others of its run: "rank 3", else its file
  /// or what its files' names have in common.
  std::string processName() const {
    if (Rank >= 0)
      return "rank " + std::to_string(Rank);
    return Worker.empty() ? Path : std::string(fileName(Worker));
  }

  /// Its name for people: the program without its directory, and the rank.
  std::string displayName() const {
    std::string Name(fileName(Program));
    return Rank < 0 ? Name : Name + " rank " + std::to_string(Rank);
  }
};

/// A run of one process, or several that were merged.
struct Run : RunInfo {
  std::vector<Site> Sites;
  std::vector<Node> Nodes; ///< parents before children
  /// By node, where they were judged before nodes of several processes became
  /// one (FoldedRanks.h); else empty.
  std::vector<HostTime> HostTimes;
  std::vector<Thread> Threads;
  GpuData Gpu;
  DeviceData Devices;
  StackData Stacks;
  std::vector<RangeSum> Ranges;
  std::vector<RangeSpan> RangeSpans; ///< by start, where Timeline was asked for
  /// Where Timeline was asked for, and of traces; of one process.
  std::vector<MemoryLane> MemoryOverTime;
  std::vector<SpanKey> Keys;          ///< of nodes, each once
  std::vector<OperatorInputs> Inputs; ///< of operators, each once
  std::vector<OperatorLink> OperatorLinks;
  std::vector<WhatifBlock> Whatif;
  /// By process, each over its own time. Empty if only a part of the run was
  /// chosen, and for traces.
  std::vector<RunHistory> Histories;
  std::vector<RunValue> Values; ///< by process, in the order of first ones
  std::vector<CollectiveInstance> Collectives;
  std::vector<PeerSum> Peers;
  std::vector<OwnStep> OwnSteps;
  Traffic Exchanged; ///< where addTraffic was asked for it
  /// By thread, what its ring of events still holds, parents before children
  /// and by start. Only if asked for; empty unless LOOPSCOPE=trace.
  ThreadLanes Timeline;
  bool TimelineIsCut = false; ///< older spans are there, and weren't read
  /// By thread, all of its spans; empty where Timeline has them all.
  std::vector<FileLane> FileLanes;
  EventStream Stream;

  /// The spans of \p Thread that stay in their file; null if there are none.
  const FileLane *fileLane(size_t Thread) const {
    return Thread < FileLanes.size() && FileLanes[Thread].Spans
               ? &FileLanes[Thread]
               : nullptr;
  }

  /// Whether any thread has spans in Timeline.
  bool hasSpans() const {
    for (const std::vector<TimelineSpan> &Track : Timeline)
      if (!Track.empty())
        return true;
    return false;
  }

  /// The site's name, empty for roots.
  const std::string &nameOf(const Node &N) const {
    static const std::string Empty;
    return N.Site == None ? Empty : Sites[N.Site].Name;
  }

  SiteUse useOf(const Node &N) const {
    return N.Site == None ? SiteUse::None : Sites[N.Site].Use;
  }
};

// A vector of runs that grows must not copy them.
static_assert(std::is_nothrow_move_constructible_v<Run>);

/// A + B, saturating at the limits of int64_t: sums over a hostile profile must
/// not overflow.
inline int64_t saturatingAdd(int64_t A, int64_t B) {
  int64_t Sum = 0;
  if (__builtin_add_overflow(A, B, &Sum))
    return B < 0 ? INT64_MIN : INT64_MAX;
  return Sum;
}
inline void addSaturating(int64_t &To, int64_t Ns) {
  To = saturatingAdd(To, Ns);
}

inline CpuSums CpuSums::dividedBy(uint64_t Runs) const {
  auto Count = static_cast<int64_t>(Runs);
  return {MeasuredNs / Count,       CpuNs / Count,
          MinorFaults / Runs,       MajorFaults / Runs,
          VoluntarySwitches / Runs, InvoluntarySwitches / Runs,
          StarvedOfNs / Count,      StarvedNs / Count,
          OthersNs / Count,         InterruptedNs / Count};
}

inline void CpuSums::add(const CpuSums &Other) {
  for (int64_t CpuSums::*Each :
       {&CpuSums::MeasuredNs, &CpuSums::CpuNs, &CpuSums::StarvedOfNs,
        &CpuSums::StarvedNs, &CpuSums::OthersNs, &CpuSums::InterruptedNs})
    this->*Each = saturatingAdd(this->*Each, Other.*Each);
  for (uint64_t CpuSums::*Each :
       {&CpuSums::MinorFaults, &CpuSums::MajorFaults,
        &CpuSums::VoluntarySwitches, &CpuSums::InvoluntarySwitches})
    this->*Each += Other.*Each;
}

/// How much of the timeline that LOOPSCOPE=trace recorded to read; it may be
/// large.
struct WithTimeline {
  /// At least this many of the last steps of all threads together, and what ran
  /// meanwhile; SIZE_MAX: everything.
  size_t Steps = 0;
  /// Also phases and functions that run inside others.
  bool Nested = true;
  /// When reading everything: only about this many of the newest spans, and a
  /// quarter as many device events. Older spans are in Run::FileLanes, if they
  /// can stay in the file.
  size_t Newest = SIZE_MAX;

  static const WithTimeline No;
  static const WithTimeline Yes;
  /// Everything except what is nested.
  static const WithTimeline Outermost;
  static constexpr WithTimeline lastSteps(size_t Steps) {
    return {Steps, true};
  }
  static constexpr WithTimeline newest(size_t Spans) {
    return {SIZE_MAX, true, Spans};
  }
  /// The largest number of device events wanted, the newest.
  constexpr size_t deviceEvents() const {
    return Steps == 0 ? 0 : Newest == SIZE_MAX ? SIZE_MAX : Newest / 4 + 1;
  }
  bool operator==(const WithTimeline &) const = default;
};
inline constexpr WithTimeline WithTimeline::No{0, true};
inline constexpr WithTimeline WithTimeline::Yes{SIZE_MAX, true};
inline constexpr WithTimeline WithTimeline::Outermost{SIZE_MAX, false};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_RUN_H

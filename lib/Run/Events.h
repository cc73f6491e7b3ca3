// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of a run, as PyTorch (Kineto) traces have them and as a profile's
// timeline gives them: plain data. Readers fill it, analyses only read it.
//
// Times are integer nanoseconds on the run's own time line; a trace's
// microseconds have at most three decimals, so nothing is lost.

#ifndef LOOPSCOPE_RUN_EVENTS_H
#define LOOPSCOPE_RUN_EVENTS_H

#include "Run/TraceStrings.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// What an event is. Old traces say "Operator", newer ones "cpu_op"; both read
/// as Operator.
enum class TraceKind : uint8_t {
  Operator,   ///< a PyTorch operator, or a phase of an exported profile
  Python,     ///< the "Python" category of old traces
  Annotation, ///< record_function: Optimizer.step, DataLoader's next
  Step,       ///< ProfilerStep#N
  Function,   ///< a Python function
  Runtime,    ///< a call of the CUDA runtime or driver
  Kernel,
  Memcpy,
  Memset,
  Span, ///< the profiler's own "PyTorch Profiler (0)"
  Other
};

/// True for work on the device.
constexpr bool isDeviceWork(TraceKind Kind) {
  return Kind == TraceKind::Kernel || Kind == TraceKind::Memcpy ||
         Kind == TraceKind::Memset;
}

/// One complete event ("ph": "X").
struct TraceEvent {
  int64_t Start = 0;        ///< ns
  int64_t Duration = 0;     ///< ns, never negative
  uint64_t ExternalId = 0;  ///< links runtime calls to operators; 0: none
  uint64_t Correlation = 0; ///< links device work to runtime calls; 0: none
  uint32_t Name = 0;        ///< in EventStream::Strings
  uint32_t Track = 0;       ///< in EventStream::Tracks
  uint32_t Device = 0;      ///< in EventStream::Devices
  TraceKind Kind = TraceKind::Other;
  bool HasStack = false; ///< a Python call stack was recorded

  int64_t end() const { return Start + Duration; }
};

/// What only device work and communication have.
struct DeviceFacts {
  int64_t Device = 0;
  double BlocksPerSm = -1; ///< negative: not in the trace
  double Occupancy = -1;   ///< percent; negative: not in the trace
  uint32_t Exchange = 0;   ///< in EventStream::Exchanges
};

/// What a trace says of an operation of communication.
struct ExchangeFacts {
  uint32_t Operation = 0; ///< in EventStream::Strings; 0: not said
  uint32_t Group = 0;     ///< of processes, likewise
  uint32_t Ranks = 0;     ///< of the group, as a text, likewise
  int64_t Sequence = -1;  ///< its number within the group; -1: not said
  int64_t GroupSize = -1;
  int64_t Bytes = -1; ///< that the process puts in
};

/// One row of the trace's time line.
struct TraceTrack {
  uint32_t Pid = 0; ///< in EventStream::Strings
  uint32_t Tid = 0; ///< in EventStream::Strings
};

/// One entry of "deviceProperties"; -1 where the trace doesn't say.
struct DeviceProperties {
  int64_t Id = -1;
  std::string Name;
  int64_t TotalMemory = -1; ///< bytes
  int64_t ComputeMajor = -1;
  int64_t ComputeMinor = -1;
};

class LaunchLinks;

/// The events of a run: of a trace in the order of the file, of a profile by
/// track. Empty where nothing has asked for them.
struct EventStream {
  TraceStrings Strings;
  std::vector<TraceEvent> Events;
  std::vector<DeviceFacts> Devices;     ///< entry 0 is of all other events
  std::vector<ExchangeFacts> Exchanges; ///< entry 0 stands for "none"
  std::vector<TraceTrack> Tracks;
  /// Per event, of streams that eventsOf() made of a profile's timeline: the
  /// event of GpuData that it is; NoSource for spans.
  std::vector<uint32_t> GpuEventOf;
  /// Per track, of the same: in Run::Threads; NoSource for streams and for
  /// threads without a call-path tree.
  std::vector<uint32_t> ThreadOf;

  /// Per event, where addTree() was asked for it, the node of Run::Nodes: of a
  /// call its own, of a CUDA call the one that made it, of device work the one
  /// that launched it. NoSource where there is none or it isn't known.
  std::vector<uint32_t> NodeOf;

  /// Who launched what, once addTree() has computed it.
  std::shared_ptr<const LaunchLinks> Links;

  static constexpr uint32_t NoSource = UINT32_MAX;

  std::string_view name(const TraceEvent &Event) const {
    return Strings[Event.Name];
  }
};

/// True for the calls that wait for a batch.
bool isDataLoader(std::string_view Name);

/// True for what a profile's waits are called in events: "loopscope.wait: pop".
bool isWait(std::string_view Name);

/// True for what a profile's collectives are called in events:
/// "loopscope.collective: all-reduce"; and an event's name for the one called
/// NAME, and the other way.
bool isCollective(std::string_view Name);
std::string collectiveEventName(std::string_view Name);
std::string_view collectiveName(std::string_view EventName);

/// An event's name for the wait called NAME, and the other way.
std::string waitEventName(std::string_view Name);
std::string_view waitName(std::string_view EventName);

/// True for what the cuts of a profile (Node::IsCut) are called in events:
/// "loopscope.cut: (what-if)". Their time is in none of what is around them.
bool isCut(std::string_view Name);

/// An event's name for the cut called NAME.
std::string cutEventName(std::string_view Name);

/// True for operators that stand for a phase: the optimizer's step, and waiting
/// for data.
bool isPhaseOperator(std::string_view Name);

/// True for NCCL and Gloo operations.
bool isCommunicationOperator(std::string_view Name);

/// True for the kernels of NCCL.
bool isCommunicationKernel(std::string_view Name);

/// What a CUDA call is for.
enum class CallUse : uint8_t {
  Launch, ///< puts work on a device and returns
  Wait,   ///< returns when work of a device has ended
  Other
};

/// The use of a call by its name, as the runtime tells it from CUPTI's names.
CallUse callUse(std::string_view Name);

/// The uses of a stream's CUDA calls, each name looked at once.
class CallUses {
public:
  explicit CallUses(const EventStream &Stream)
      : Stream(Stream), Uses(Stream.Strings.size()) {}
  CallUse of(const TraceEvent &Call);

private:
  const EventStream &Stream;
  std::vector<std::optional<CallUse>> Uses;
};

/// True when a file that starts with \p Start may be a trace: gzip, or JSON.
bool looksLikeTrace(std::string_view Start);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_EVENTS_H

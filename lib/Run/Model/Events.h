// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of a run, as PyTorch (Kineto) traces have them and as a profile's
// timeline gives them: plain data. Readers fill it, analyses only read it.
//
// Times are integer nanoseconds on the run's own time line; a trace's
// microseconds have at most three decimals, so nothing is lost.

#ifndef LOOPSCOPE_RUN_MODEL_EVENTS_H
#define LOOPSCOPE_RUN_MODEL_EVENTS_H

#include "Run/Model/Intervals.h"
#include "Run/Model/TraceStrings.h"

#include <loopscope/profile_format.h>

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

/// Whether the kind is work on the device.
constexpr bool isDeviceWork(TraceKind Kind) {
  return Kind == TraceKind::Kernel || Kind == TraceKind::Memcpy ||
         Kind == TraceKind::Memset;
}

/// Whether the kind is a call on the host that a program or its framework
/// marks: operators and annotations, neither steps nor functions.
constexpr bool isMarkedCall(TraceKind Kind) {
  return Kind == TraceKind::Operator || Kind == TraceKind::Python ||
         Kind == TraceKind::Annotation;
}

/// What an event is for, where that matters beyond its kind.
enum class EventUse : uint8_t {
  None,
  Load,     ///< waits for a batch
  Optimize, ///< a step of an optimizer
  Exchange, ///< communicates with other ranks, on the host or on a device
  AsksForExchange, ///< has another thread do so, and may wait for it
  Cut,             ///< the profiler took the time on purpose (Node::IsCut)
  Launch,          ///< a CUDA call that puts work on a device and returns
  Block            ///< one that returns when work of a device has ended
};

/// A complete event ("ph": "X").
struct TraceEvent {
  int64_t Start = 0;        ///< ns
  int64_t Duration = 0;     ///< ns, never negative
  uint64_t ExternalId = 0;  ///< links runtime calls to operators; 0: none
  uint64_t Correlation = 0; ///< links device work to runtime calls; 0: none
  uint32_t Name = 0;        ///< in EventStream::Strings
  uint32_t Track = 0;       ///< in EventStream::Tracks
  uint32_t Device = 0;      ///< in EventStream::Devices
  TraceKind Kind = TraceKind::Other;
  EventUse Use = EventUse::None;
  /// The loopscope_kind of a call on the host that is one of a run's phases,
  /// steps or loops; else LOOPSCOPE_KIND_ROOT.
  uint8_t StandsFor = LOOPSCOPE_KIND_ROOT;
  bool HasStack = false; ///< a Python call stack was recorded

  int64_t end() const { return Start + Duration; }
  Interval time() const { return {Start, end()}; }
};

// Traces have hundreds of millions of them.
static_assert(sizeof(TraceEvent) == 48);

/// What only device work and communication have.
struct DeviceFacts {
  int64_t Device = 0;
  double BlocksPerSm = -1; ///< negative: not in the trace
  double Occupancy = -1;   ///< percent; negative: not in the trace
  uint32_t Exchange = 0;   ///< in EventStream::Exchanges
};

/// What a trace says about a communication operation.
struct ExchangeFacts {
  uint32_t Operation = 0; ///< in EventStream::Strings; 0: not in the trace
  uint32_t Group = 0;     ///< of processes, likewise
  uint32_t Ranks = 0;     ///< of the group, as a text, likewise
  int64_t Sequence = -1;  ///< its number within the group; -1: not in the trace
  int64_t GroupSize = -1;
  int64_t Bytes = -1; ///< that the process puts in
};

/// An operator of a trace that names its inputs.
struct EventInputs {
  uint32_t Event = 0;  ///< in EventStream::Events
  uint32_t Inputs = 0; ///< in Run::Inputs
};

/// One row of the trace's time line.
struct TraceTrack {
  uint32_t Pid = 0; ///< in EventStream::Strings
  uint32_t Tid = 0; ///< in EventStream::Strings
};

/// An entry of "deviceProperties"; -1 if the trace doesn't say.
struct DeviceProperties {
  int64_t Id = -1;
  std::string Name;
  int64_t TotalMemory = -1; ///< bytes
  int64_t ComputeMajor = -1;
  int64_t ComputeMinor = -1;
};

class LaunchLinks;

/// The events of a run: a trace's in the order of the file, a profile's by
/// track. Empty unless they were asked for.
struct EventStream {
  TraceStrings Strings;
  std::vector<TraceEvent> Events;
  std::vector<DeviceFacts> Devices;     ///< entry 0 is of all other events
  std::vector<ExchangeFacts> Exchanges; ///< entry 0 stands for "none"
  std::vector<TraceTrack> Tracks;
  std::vector<EventInputs> InputsOf; ///< sorted by event
  /// Whether what threads without steps do is no part of steps, as in our own
  /// runs. PyTorch's backward pass launches from a thread of its own, while the
  /// steps' thread waits for it.
  bool ThreadsAreApart = false;
  /// When the profiler recorded, in order, for the cycles of one process that
  /// were joined; else empty.
  std::vector<Interval> Recorded;
  /// By event, in streams that eventsOf() made from a profile's timeline: the
  /// GpuData event behind it; NoSource for spans.
  std::vector<uint32_t> GpuEventOf;
  /// By track of such a stream, and of a trace with NodeOf: its index in
  /// Run::Threads; NoSource for streams and for threads without a tree.
  std::vector<uint32_t> ThreadOf;

  /// By event, if addTree() was asked for it: the index in Run::Nodes of a
  /// call's own node, of the node that made a CUDA call, or of the node that
  /// launched device work; of an event that a tree divides, the node of its
  /// first part. NoSource if there is none or it isn't known.
  std::vector<uint32_t> NodeOf;

  /// Which call launched what, once addTree() has computed it.
  std::shared_ptr<const LaunchLinks> Links;

  static constexpr uint32_t NoSource = UINT32_MAX;

  std::string_view name(const TraceEvent &Event) const {
    return Strings[Event.Name];
  }

  /// When its first event begins; INT64_MAX without events.
  int64_t start() const;
};

/// "7" of a step's name, "ProfilerStep#7" or "step 7"; \p Name if it ends
/// without digits.
std::string_view stepNumber(std::string_view Name);

/// Sets the use of the kernels that communicate: by their names, because they
/// name their operation, or because a call on the host that does has their id.
void markExchanges(EventStream &Of);

/// Whether a file that starts with \p Start may be a trace: gzip, or JSON.
bool looksLikeTrace(std::string_view Start);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_EVENTS_H

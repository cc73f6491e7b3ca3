// What a PyTorch (Kineto) trace holds, as far as reports need it: plain data,
// in the order of the file. Readers fill it, analyses and views only read it.
//
// Times are integer nanoseconds on the trace's own time line; a trace's
// microseconds have at most three decimals, so nothing is lost.
#ifndef LOOPSCOPE_PROFILE_KINETOTRACE_H
#define LOOPSCOPE_PROFILE_KINETOTRACE_H

#include "Profile/TraceStrings.h"

#include <cstddef>
#include <cstdint>
#include <map>
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
  uint32_t Name = 0;        ///< in KinetoTrace::Strings
  uint32_t Track = 0;       ///< in KinetoTrace::Tracks
  uint32_t Device = 0;      ///< in KinetoTrace::DeviceFacts, for device work
  TraceKind Kind = TraceKind::Other;
  bool HasStack = false; ///< a Python call stack was recorded

  int64_t end() const { return Start + Duration; }
};

/// What only device work has.
struct DeviceFacts {
  int64_t Device = 0;
  double BlocksPerSm = -1; ///< negative: not in the trace
  double Occupancy = -1;   ///< percent; negative: not in the trace
};

/// One row of the trace's time line.
struct TraceTrack {
  uint32_t Pid = 0; ///< in KinetoTrace::Strings
  uint32_t Tid = 0; ///< in KinetoTrace::Strings
};

/// One entry of "deviceProperties"; -1 where the trace doesn't say.
struct DeviceProperties {
  int64_t Id = -1;
  std::string Name;
  int64_t TotalMemory = -1; ///< bytes
  int64_t ComputeMajor = -1;
  int64_t ComputeMinor = -1;
};

/// What could not be read, for the data-integrity footer.
struct TraceLosses {
  uint64_t Malformed = 0;   ///< events that are not JSON, or lack time or name
  uint64_t Negative = 0;    ///< durations below zero, read as zero
  uint64_t TornBytes = 0;   ///< bytes after the last whole event of a torn file
  bool Torn = false;        ///< the file ends before the trace does
  uint64_t BadUtf8 = 0;     ///< windows in which bytes had to be replaced
  std::string DamagedInput; ///< what the decompressor said; empty: nothing
};

/// What a trace says of itself, besides its events.
struct TraceInfo {
  std::string File;
  std::vector<DeviceProperties> Properties;
  /// Highest "Total Allocated" of each device, bytes.
  std::map<int64_t, int64_t> PeakMemory;
  int64_t SchemaVersion = -1;
  int64_t BaseTime = 0; ///< ns since the epoch at which the time line starts
  std::string Backend;  ///< of distributedInfo
  int64_t Rank = -1;
  int64_t WorldSize = -1;
  TraceLosses Losses;
};

/// One trace file.
struct KinetoTrace : TraceInfo {
  TraceStrings Strings;
  std::vector<TraceEvent> Events;
  std::vector<DeviceFacts> Devices; ///< entry 0 stands for "not device work"
  std::vector<TraceTrack> Tracks;

  std::string_view name(const TraceEvent &Event) const {
    return Strings[Event.Name];
  }
};

/// True for the calls that wait for a batch.
bool isDataLoader(std::string_view Name);

/// True for NCCL and Gloo operations.
bool isCommunicationOperator(std::string_view Name);

/// True for the kernels of NCCL.
bool isCommunicationKernel(std::string_view Name);

/// True when a file that starts with \p Start may be a trace: gzip, or JSON.
bool looksLikeTrace(std::string_view Start);

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_KINETOTRACE_H

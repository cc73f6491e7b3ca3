// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PyTorch's trace format, written event by event: through a library's objects,
// a long timeline takes four times as long or almost three times the memory;
// and readers expect PyTorch's blanks.

#include "Report/Export/Export.h"

#include "Analysis/Device/GpuRows.h"
#include "Analysis/Device/KernelRows.h"
#include "Analysis/Device/MemoryOfSteps.h"
#include "Analysis/Steps/TimelineEvents.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Report/Print/Printers.h"
#include "Run/Combine/SelectThread.h"
#include "Run/Kineto/EventNames.h"
#include "Run/Model/TraceNumbers.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

using namespace loopscope;

namespace {
constexpr int64_t NsPerUs = 1000;
constexpr double ThreadsPerWarp = 32;
// In a trace of several processes: the ids of each process and its devices.
constexpr int64_t PidsOfProcess = 1000;

// A process's place in a trace of several.
struct Among {
  int64_t Index = 0;
  ClockLine Line;
  int64_t FirstNs = 0; // the trace's time 0, on the clock that Line leads to
};

class ChromeWriter {
public:
  ChromeWriter(const Run &R, std::string &To, const Among *Others = nullptr)
      : R(R), Others(Others), Traced(eventsOf(R)),
        Properties(deviceProperties(R)), Out(To) {}
  void writeWhole();
  void writeProcess();

private:
  void writeHead();
  void writeProcessName(const std::string &Pid, const std::string &Text);
  void writeNames();
  void writeEvents();
  void writeRanges();
  void writeMemory();
  void writeDevice(const DeviceProperties &D, uint32_t Device, bool IsFirst);
  void writeTrackName(uint32_t Track);
  void writeEvent(const TraceEvent &Event, uint32_t Gpu);
  void writeFlow(const TraceEvent &Event, const char *Phase, int64_t Us);
  std::string callArguments(const TraceEvent &Event, uint32_t Gpu) const;
  std::string workArguments(const TraceEvent &Event, const GpuEvent &E) const;
  std::string launchArguments(const GpuEvent &E) const;
  std::string pid(uint32_t Track) const;
  std::string tid(uint32_t Track) const;
  std::string hostPid() const;
  std::string devicePid(int64_t Device) const;
  bool isHost(uint32_t Track) const;
  int64_t us(int64_t Ns) const;
  uint64_t number(uint64_t Own) const;

  const Run &R;
  const Among *Others;
  EventStream Traced;
  std::vector<DeviceProperties> Properties;
  std::string &Out;
};

const char *categoryOf(TraceKind Kind) {
  switch (Kind) {
  case TraceKind::Operator:
    return "cpu_op";
  case TraceKind::Runtime:
    return "cuda_runtime";
  case TraceKind::Kernel:
    return "kernel";
  case TraceKind::Memcpy:
    return "gpu_memcpy";
  case TraceKind::Memset:
    return "gpu_memset";
  default:
    return "user_annotation";
  }
}

std::string jsonValue(const FactValue &Value) {
  return std::visit(
      [](const auto &Of) -> std::string {
        using Type = std::decay_t<decltype(Of)>;
        if constexpr (std::is_same_v<Type, std::string>)
          return jsonString(Of);
        else if constexpr (std::is_same_v<Type, double>)
          return std::isfinite(Of) ? fmt::format("{}", Of) : "null";
        else
          return fmt::format("{}", Of);
      },
      Value);
}

// The facts of the run, as metadata that viewers show; "" without any.
std::string factsOf(const Run &R) {
  if (R.Facts.empty())
    return "";
  std::string Result = "\"otherData\": {";
  for (const RunFact &Each : R.Facts)
    Result += fmt::format("{}{}: {}", &Each == &R.Facts.front() ? "" : ", ",
                          jsonString(Each.Name),
                          jsonValue(Each.Values.front().Value));
  return Result + "},\n";
}
} // namespace

// Processes on several hosts may share an id, and each has a device 0.
std::string ChromeWriter::hostPid() const {
  return fmt::format(
      "{}", Others == nullptr ? R.Pid : (Others->Index + 1) * PidsOfProcess);
}

std::string ChromeWriter::devicePid(int64_t Device) const {
  return fmt::format("{}",
                     Others == nullptr
                         ? Device
                         : (Others->Index + 1) * PidsOfProcess + 1 + Device);
}

bool ChromeWriter::isHost(uint32_t Track) const {
  return Traced.Strings[Traced.Tracks[Track].Pid] == fmt::format("{}", R.Pid);
}

std::string ChromeWriter::pid(uint32_t Track) const {
  std::string Own(Traced.Strings[Traced.Tracks[Track].Pid]);
  int64_t Device = 0;
  if (Others == nullptr)
    return Own;
  return isHost(Track) || !parseWhole(Own, Device) ? hostPid()
                                                   : devicePid(Device);
}

std::string ChromeWriter::tid(uint32_t Track) const {
  return std::string(Traced.Strings[Traced.Tracks[Track].Tid]);
}

// Rounded down.
int64_t ChromeWriter::us(int64_t Ns) const {
  if (Others == nullptr)
    return Ns / NsPerUs;
  int64_t On = Others->Line.at(saturatingAdd(R.StartMonotonicNs, Ns));
  return (On - Others->FirstNs) / NsPerUs;
}

// Ids that link events are per process.
uint64_t ChromeWriter::number(uint64_t Own) const {
  constexpr unsigned Bits = 40; // doubles, as JSON's readers have, hold 53
  return Others == nullptr ? Own : Own + (uint64_t(Others->Index) << Bits);
}

void ChromeWriter::writeDevice(const DeviceProperties &D, uint32_t Device,
                               bool IsFirst) {
  const GpuDevice &Of = R.Gpu.Devices[Device];
  Out += fmt::format("{}\n  {{\"id\": {}, \"name\": {}", IsFirst ? "" : ",",
                     D.Id, jsonString(D.Name));
  for (auto [Key, Value] : {std::pair("totalGlobalMem", D.TotalMemory),
                            std::pair("computeMajor", D.ComputeMajor),
                            std::pair("computeMinor", D.ComputeMinor),
                            std::pair("numSms", int64_t{Of.Multiprocessors})})
    if (Value >= 0)
      Out += fmt::format(", \"{}\": {}", Key, Value);
  Out += '}';
}

void ChromeWriter::writeHead() {
  Out = "{\n\"schemaVersion\": 1,\n" + factsOf(R) + "\"deviceProperties\": [";
  for (uint32_t I = 0; I < Properties.size(); ++I)
    writeDevice(Properties[I], I, I == 0);
  // HTA finds the rank by its text: the blank after the colon matters.
  Out += fmt::format("],\n"
                     "\"distributedInfo\": {{\"backend\": \"none\", \"rank\": "
                     "{}, \"world_size\": {}}},\n\"displayTimeUnit\": \"ms\",\n"
                     "\"baseTimeNanoseconds\": {},\n\"traceEvents\": [\n",
                     std::max<int64_t>(R.Rank, 0),
                     std::max<int64_t>(R.WorldSize, 1), R.StartRealtimeNs);
  writeNames();
}

void ChromeWriter::writeProcessName(const std::string &Pid,
                                    const std::string &Text) {
  Out += fmt::format("{{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": "
                     "{}, \"tid\": 0, \"ts\": 0, \"args\": {{\"name\": {}}}}}",
                     Pid, jsonString(Text));
}

void ChromeWriter::writeNames() {
  std::string Whose =
      Others == nullptr ? "" : fmt::format("{}: ", R.processName());
  writeProcessName(hostPid(),
                   Others == nullptr
                       ? R.displayName()
                       : fmt::format("{}{} ({}, process {})", Whose,
                                     fileName(R.Program), R.Host, R.Pid));
  for (const DeviceProperties &D : Properties) {
    Out += ",\n";
    writeProcessName(devicePid(D.Id),
                     fmt::format("{}GPU {} {}", Whose, D.Id, D.Name));
  }
}

void ChromeWriter::writeTrackName(uint32_t Track) {
  uint32_t Thread = Traced.ThreadOf[Track];
  std::string Name = Thread != None  ? threadName(R.Threads[Thread])
                     : isHost(Track) ? "thread " + tid(Track)
                                     : "stream " + tid(Track);
  Out += fmt::format(",\n{{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": "
                     "{}, \"tid\": {}, \"ts\": 0, \"args\": {{\"name\": {}}}}}",
                     pid(Track), tid(Track), jsonString(Name));
}

std::string ChromeWriter::callArguments(const TraceEvent &Event,
                                        uint32_t Gpu) const {
  uint32_t Callback = Gpu == None ? 0 : R.Gpu.Events[Gpu].Callback;
  // Profiles of version 1.1 lack it.
  std::string Known =
      Callback == 0 ? "" : fmt::format(", \"cbid\": {}", Callback);
  return fmt::format("{}, \"correlation\": {}", Known,
                     number(Event.Correlation));
}

std::string ChromeWriter::launchArguments(const GpuEvent &E) const {
  std::string Result =
      fmt::format(", \"registers per thread\": {}, \"shared memory\": {}",
                  E.Registers, uint64_t{E.StaticShared} + E.DynamicShared);
  if (E.Grid[0] == 0)
    return Result;
  double Blocks = blocksPerSm(R, E);
  if (Blocks >= 0)
    Result += fmt::format(
        ", \"blocks per SM\": {}, \"warps per SM\": {}", Blocks,
        Blocks * E.Block[0] * E.Block[1] * E.Block[2] / ThreadsPerWarp);
  return Result +
         fmt::format(", \"grid\": [{}, {}, {}], \"block\": [{}, {}, {}]",
                     E.Grid[0], E.Grid[1], E.Grid[2], E.Block[0], E.Block[1],
                     E.Block[2]);
}

std::string ChromeWriter::workArguments(const TraceEvent &Event,
                                        const GpuEvent &E) const {
  std::string Result = fmt::format(
      ", \"device\": {}, \"context\": {}, \"stream\": {}, \"correlation\": {}",
      deviceNumber(R, E.Device), E.Context, E.Stream, number(E.Correlation));
  if (E.Kind == LOOPSCOPE_GPU_KERNEL) {
    Result += launchArguments(E);
    if (E.Occupancy >= 0)
      Result += fmt::format(", \"est. achieved occupancy %\": {}",
                            std::lround(E.Occupancy * 100));
  } else {
    Result += fmt::format(", \"bytes\": {}", E.Bytes);
    // Bytes per nanosecond are GB per second.
    if (Event.Duration > 0)
      Result += fmt::format(", \"memory bandwidth (GB/s)\": {}",
                            static_cast<double>(E.Bytes) /
                                static_cast<double>(Event.Duration));
  }
  if (E.Graph != 0)
    Result += fmt::format(", \"graph id\": {}, \"graph node id\": {}", E.Graph,
                          E.GraphNode);
  if (E.MadeIn != None)
    Result += fmt::format(", \"graph node of\": {}",
                          jsonString(phaseOf(R, E.MadeIn)));
  return Result;
}

// An arrow from a launch to its work.
void ChromeWriter::writeFlow(const TraceEvent &Event, const char *Phase,
                             int64_t Us) {
  Out +=
      fmt::format(",\n{{\"ph\": \"{}\", \"id\": {}, \"pid\": {}, \"tid\": {}, "
                  "\"ts\": {}, \"cat\": \"ac2g\", \"name\": \"ac2g\"{}}}",
                  Phase, number(Event.Correlation), pid(Event.Track),
                  tid(Event.Track), Us, *Phase == 'f' ? ", \"bp\": \"e\"" : "");
}

void ChromeWriter::writeEvent(const TraceEvent &Event, uint32_t Gpu) {
  // Both ends rounded down: spans nest as they did.
  int64_t Start = us(Event.Start);
  int64_t End = us(Event.end());
  std::string Name = exportedName(Traced, Event);
  if (isDeviceWork(Event.Kind))
    Name = kernelName(Name);
  std::string Arguments =
      fmt::format("\"External id\": {}", number(Event.ExternalId));
  if (Event.Kind == TraceKind::Runtime)
    Arguments += callArguments(Event, Gpu);
  else if (Gpu != None)
    Arguments += workArguments(Event, R.Gpu.Events[Gpu]);
  Out += fmt::format(
      ",\n{{\"ph\": \"X\", \"cat\": \"{}\", \"name\": {}, \"pid\": {}, "
      "\"tid\": "
      "{}, \"ts\": {}, \"dur\": {}, \"args\": {{{}}}}}",
      categoryOf(Event.Kind), jsonString(Name), pid(Event.Track),
      tid(Event.Track), Start, End - Start, Arguments);
  bool IsLaunch =
      Gpu != None && R.Gpu.Events[Gpu].Kind == LOOPSCOPE_GPU_LAUNCH_CALL;
  if (Event.Correlation != 0 && IsLaunch)
    writeFlow(Event, "s", Start);
  else if (Event.Correlation != 0 && isDeviceWork(Event.Kind))
    writeFlow(Event, "f", Start);
}

void ChromeWriter::writeEvents() {
  uint32_t Track = None;
  for (size_t I = 0; I < Traced.Events.size(); ++I) {
    const TraceEvent &Event = Traced.Events[I];
    if (Event.Track != Track) {
      Track = Event.Track;
      writeTrackName(Track);
    }
    writeEvent(Event, Traced.GpuEventOf[I]);
  }
}

// Asynchronous events, of which each has a row of its own.
void ChromeWriter::writeRanges() {
  for (size_t I = 0; I < R.RangeSpans.size(); ++I) {
    const RangeSpan &Each = R.RangeSpans[I];
    for (auto [Phase, Ns] : {std::pair("b", Each.StartNs), {"e", Each.EndNs}})
      Out +=
          fmt::format(",\n{{\"ph\": \"{}\", \"cat\": \"range\", \"name\": {}, "
                      "\"id\": {}, \"pid\": {}, \"tid\": 0, \"ts\": {}}}",
                      Phase, jsonString(R.Ranges[Each.Range].Name),
                      number(I + 1), hostPid(), us(Ns));
  }
}

// Counters: what was held after each operation.
void ChromeWriter::writeMemory() {
  for (const MemoryLane &Lane : R.MemoryOverTime)
    for (const MemoryChange &Each : Lane.Changes)
      Out += fmt::format(
          ",\n{{\"ph\": \"C\", \"name\": {}, \"pid\": {}, \"tid\": 0, \"ts\": "
          "{}, \"args\": {{\"held\": {}, \"unused\": {}}}}}",
          jsonString("memory " + laneName(Lane)), hostPid(), us(Each.AtNs),
          Each.HeldBytes, Each.UnusedBytes);
}

void ChromeWriter::writeWhole() {
  writeHead();
  writeEvents();
  writeRanges();
  writeMemory();
  Out += "\n]\n}\n";
}

void ChromeWriter::writeProcess() {
  writeNames();
  writeEvents();
  writeRanges();
}

std::string loopscope::exportChrome(const Run &R) {
  std::string Out;
  ChromeWriter(R, Out).writeWhole();
  return Out;
}

ChromeTrace::ChromeTrace(const std::vector<Run> &All,
                         const std::vector<ClockLine> &Lines)
    : Lines(Lines) {
  FirstNs = INT64_MAX;
  for (size_t I = 0; I < All.size(); ++I)
    FirstNs = std::min(FirstNs, Lines[I].at(All[I].StartMonotonicNs));
  const Run &First = All.front();
  std::vector<RunFact> Facts;
  for (const Run &Each : All)
    mergeFacts(Facts, Each.Facts, Each.processName());
  Run Together;
  std::erase_if(Facts, [](const RunFact &Each) { return Each.differs(); });
  Together.Facts = std::move(Facts);
  Out =
      fmt::format("{{\n\"schemaVersion\": 1,\n{}\"loopscopeProcesses\": {},\n"
                  "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": {},\n"
                  "\"traceEvents\": [",
                  factsOf(Together), All.size(),
                  First.StartRealtimeNs -
                      (Lines.front().at(First.StartMonotonicNs) - FirstNs));
}

void ChromeTrace::add(const Run &R) {
  Among Here = {static_cast<int64_t>(Count), Lines[Count], FirstNs};
  Out += Count++ == 0 ? "\n" : ",\n";
  ChromeWriter(R, Out, &Here).writeProcess();
}

std::string ChromeTrace::finish() { return std::move(Out) + "\n]\n}\n"; }

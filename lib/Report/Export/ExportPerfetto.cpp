// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Perfetto's trace format. Field numbers are those of protos/perfetto/trace.

#include "Report/Export/Export.h"

#include "Analysis/Device/GpuTimeline.h"
#include "Analysis/Device/KernelRows.h"
#include "Analysis/Steps/RangeLanes.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Analysis/Tree/PathTree.h"
#include "Report/Export/Protobuf.h"
#include "Run/Combine/SelectThread.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <variant>

using namespace loopscope;

namespace {
// Trace
constexpr uint32_t TracePacket = 1;
// TracePacket
constexpr uint32_t Timestamp = 8, SequenceId = 10, TrackEvent = 11,
                   InternedData = 12, SequenceFlags = 13, TrackDescriptor = 60;
constexpr uint64_t StateCleared = 1, NeedsState = 2;
// InternedData, EventName
constexpr uint32_t EventNames = 2, Iid = 1, InternedName = 2;
// TrackDescriptor, ProcessDescriptor, ThreadDescriptor
constexpr uint32_t Uuid = 1, DescriptorName = 2, DescriptorProcess = 3,
                   DescriptorThread = 4, ParentUuid = 5;
constexpr uint32_t ProcessPid = 1, ProcessName = 6;
constexpr uint32_t ThreadPid = 1, ThreadTid = 2, ThreadName = 5;
// TrackEvent
constexpr uint32_t EventType = 9, EventNameIid = 10, EventTrack = 11,
                   EventFlow = 47, EventFlowEnd = 48;
constexpr uint32_t EventAnnotation = 4, EventName = 23;
constexpr uint64_t SliceBegin = 1, SliceEnd = 2, Instant = 3;
// DebugAnnotation
constexpr uint32_t BoolValue = 2, UnsignedValue = 3, IntegerValue = 4,
                   DoubleValue = 5, TextValue = 6, AnnotationName = 10;

constexpr uint64_t OurSequence = 1;
constexpr uint64_t ProcessTrack = 1;

using Message = ProtoMessage;

// A box on a track.
struct Slice {
  int64_t Start = 0;
  int64_t End = 0;
  std::string Name;
  bool IsGpu = false;    // a CUDA call or device work
  uint64_t Flow = 0;     // of a launch and its work; 0: none
  bool EndsFlow = false; // the work
};

class PerfettoWriter {
public:
  explicit PerfettoWriter(const Run &R) : R(R) {}
  std::string write();

private:
  void writeProcess();
  void writeFacts();
  void writeTrack(const Message &Descriptor);
  void writeThread(uint64_t Track, const Thread &T);
  void writeNamed(uint64_t Track, uint64_t Parent, const std::string &Name);
  void writeSlices(uint64_t Track, const std::vector<Slice> &Slices);
  void writeEvent(uint64_t Track, uint64_t Type, int64_t Ns, const Slice &Of);
  std::vector<Slice> slicesOf(uint32_t Thread) const;
  std::vector<Slice> slicesOf(const DeviceTrack &Stream) const;
  std::vector<Slice> slicesOf(const RangeLane &Lane) const;

  const Run &R;
  Message Trace;
  std::unordered_map<std::string, uint64_t> NameIds;
};
} // namespace

void PerfettoWriter::writeProcess() {
  Message Process, Descriptor, Packet;
  Process.number(ProcessPid, static_cast<uint64_t>(R.Pid));
  Process.bytes(ProcessName, R.displayName());
  Descriptor.number(Uuid, ProcessTrack);
  Descriptor.message(DescriptorProcess, Process);
  Packet.number(SequenceId, OurSequence);
  Packet.number(SequenceFlags, StateCleared);
  Packet.message(TrackDescriptor, Descriptor);
  Trace.message(TracePacket, Packet);
}

// An event at the run's start, with the facts as its details.
void PerfettoWriter::writeFacts() {
  if (R.Facts.empty())
    return;
  Message Event, Packet;
  Event.number(EventType, Instant);
  Event.number(EventTrack, ProcessTrack);
  Event.bytes(EventName, "facts");
  for (const RunFact &Each : R.Facts) {
    Message Fact;
    Fact.bytes(AnnotationName, Each.Name);
    const FactValue &Value = Each.Values.front().Value;
    if (const auto *Text = std::get_if<std::string>(&Value))
      Fact.bytes(TextValue, *Text);
    else if (const auto *Flag = std::get_if<bool>(&Value))
      Fact.number(BoolValue, *Flag ? 1 : 0);
    else if (const auto *Real = std::get_if<double>(&Value))
      Fact.fixedNumber(DoubleValue, std::bit_cast<uint64_t>(*Real));
    else if (const auto *Signed = std::get_if<int64_t>(&Value))
      Fact.number(IntegerValue, static_cast<uint64_t>(*Signed));
    else
      Fact.number(UnsignedValue, std::get<uint64_t>(Value));
    Event.message(EventAnnotation, Fact);
  }
  Packet.number(Timestamp, 0);
  Packet.number(SequenceId, OurSequence);
  Packet.number(SequenceFlags, NeedsState);
  Packet.message(TrackEvent, Event);
  Trace.message(TracePacket, Packet);
}

void PerfettoWriter::writeTrack(const Message &Descriptor) {
  Message Packet;
  Packet.number(SequenceId, OurSequence);
  Packet.message(TrackDescriptor, Descriptor);
  Trace.message(TracePacket, Packet);
}

void PerfettoWriter::writeThread(uint64_t Track, const Thread &T) {
  Message Thread, Descriptor;
  Thread.number(ThreadPid, static_cast<uint64_t>(R.Pid));
  Thread.number(ThreadTid, static_cast<uint64_t>(T.Tid));
  Thread.bytes(ThreadName, threadName(T));
  Descriptor.number(Uuid, Track);
  Descriptor.number(ParentUuid, ProcessTrack);
  Descriptor.message(DescriptorThread, Thread);
  writeTrack(Descriptor);
}

void PerfettoWriter::writeEvent(uint64_t Track, uint64_t Type, int64_t Ns,
                                const Slice &Of) {
  Message Event, Packet;
  Event.number(EventType, Type);
  Event.number(EventTrack, Track);
  if (Type == SliceBegin) {
    auto [Found, IsNew] = NameIds.try_emplace(Of.Name, NameIds.size() + 1);
    Event.number(EventNameIid, Found->second);
    if (Of.Flow != 0)
      Event.fixedNumber(Of.EndsFlow ? EventFlowEnd : EventFlow, Of.Flow);
    if (IsNew) {
      Message Entry, Interned;
      Entry.number(Iid, Found->second);
      Entry.bytes(InternedName, Of.Name);
      Interned.message(EventNames, Entry);
      Packet.message(InternedData, Interned);
    }
  }
  Packet.number(Timestamp, static_cast<uint64_t>(Ns));
  Packet.number(SequenceId, OurSequence);
  Packet.number(SequenceFlags, NeedsState);
  Packet.message(TrackEvent, Event);
  Trace.message(TracePacket, Packet);
}

void PerfettoWriter::writeSlices(uint64_t Track,
                                 const std::vector<Slice> &Slices) {
  std::vector<int64_t> Ends; // of the open slices
  auto EndUntil = [&](int64_t Ns, size_t Keep) {
    while (Ends.size() > Keep && Ends.back() <= Ns) {
      writeEvent(Track, SliceEnd, Ends.back(), {});
      Ends.pop_back();
    }
  };
  for (const Slice &Each : Slices) {
    // For spans of zero length at one instant, the tree tells which contains
    // which.
    size_t Keep = 0;
    while (Keep < Ends.size() && Ends[Keep] >= Each.End)
      ++Keep;
    EndUntil(Each.Start, Each.Start == Each.End ? Keep : 0);
    writeEvent(Track, SliceBegin, Each.Start, Each);
    // A call ends with the span around it at the latest.
    Ends.push_back(Ends.empty() || !Each.IsGpu
                       ? Each.End
                       : std::min(Each.End, Ends.back()));
  }
  EndUntil(INT64_MAX, 0);
}

// A thread's spans with its CUDA calls between them.
std::vector<Slice> PerfettoWriter::slicesOf(uint32_t Thread) const {
  std::vector<Slice> Result;
  size_t Next = 0;
  auto AddCalls = [&](int64_t Until) {
    for (; Next < R.Gpu.Events.size() && R.Gpu.Events[Next].StartNs < Until;
         ++Next) {
      const GpuEvent &E = R.Gpu.Events[Next];
      if (E.Thread != Thread || E.isDeviceWork() || E.Function == None)
        continue;
      bool Launches = E.Kind == LOOPSCOPE_GPU_LAUNCH_CALL;
      Result.push_back({E.StartNs, E.EndNs, R.Gpu.Functions[E.Function], true,
                        Launches ? E.Correlation : 0, false});
    }
  };
  for (const TimelineSpan &Span : R.Timeline[Thread]) {
    AddCalls(Span.StartNs);
    Result.push_back(
        {Span.StartNs, Span.EndNs, spanName(R, Span), false, 0, false});
  }
  AddCalls(INT64_MAX);
  return Result;
}

// Overlapping work on one stream is shown one after the other.
std::vector<Slice> PerfettoWriter::slicesOf(const DeviceTrack &Stream) const {
  std::vector<Slice> Result;
  int64_t Done = 0;
  for (uint32_t Event : Stream.Events) {
    const GpuEvent &E = R.Gpu.Events[Event];
    int64_t Start = std::max(E.StartNs, Done);
    Done = std::max(E.EndNs, Start);
    Result.push_back({Start, Done, kernelName(deviceWorkName(R, E)), true,
                      E.Correlation, true});
  }
  return Result;
}

std::vector<Slice> PerfettoWriter::slicesOf(const RangeLane &Lane) const {
  std::vector<Slice> Result;
  for (uint32_t I : Lane.Spans) {
    const RangeSpan &Each = R.RangeSpans[I];
    Result.push_back(
        {Each.StartNs, Each.EndNs, R.Ranges[Each.Range].Name, false, 0, false});
  }
  return Result;
}

void PerfettoWriter::writeNamed(uint64_t Track, uint64_t Parent,
                                const std::string &Name) {
  Message Descriptor;
  Descriptor.number(Uuid, Track);
  Descriptor.bytes(DescriptorName, Name);
  Descriptor.number(ParentUuid, Parent);
  writeTrack(Descriptor);
}

std::string PerfettoWriter::write() {
  writeProcess();
  writeFacts();
  uint64_t Track = ProcessTrack;
  for (uint32_t I = 0; I < R.Timeline.size(); ++I) {
    ++Track;
    if (R.Timeline[I].empty())
      continue;
    writeThread(Track, R.Threads[I]);
    writeSlices(Track, slicesOf(I));
  }
  uint32_t Device = None;
  uint64_t DeviceUuid = 0;
  for (const DeviceTrack &Stream : deviceTracks(R)) {
    if (Stream.Device != Device) {
      Device = Stream.Device;
      DeviceUuid = ++Track;
      writeNamed(DeviceUuid, ProcessTrack,
                 fmt::format("GPU {} {}", deviceNumber(R, Device),
                             R.Gpu.Devices[Device].Name));
    }
    writeNamed(++Track, DeviceUuid, Stream.Name);
    writeSlices(Track, slicesOf(Stream));
  }
  for (const RangeLane &Lane : rangeLanes(R)) {
    writeNamed(++Track, ProcessTrack, Lane.Name);
    writeSlices(Track, slicesOf(Lane));
  }
  return std::move(Trace.Out);
}

std::string loopscope::exportPerfetto(const Run &R) {
  return PerfettoWriter(R).write();
}

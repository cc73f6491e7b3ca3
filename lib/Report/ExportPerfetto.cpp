// Perfetto's trace format. Field numbers are those of protos/perfetto/trace.
#include "Report/Export.h"

#include "Profile/SelectThread.h"
#include "Report/Protobuf.h"

#include <cstdint>
#include <unordered_map>

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
constexpr uint32_t Uuid = 1, DescriptorProcess = 3, DescriptorThread = 4,
                   ParentUuid = 5;
constexpr uint32_t ProcessPid = 1, ProcessName = 6;
constexpr uint32_t ThreadPid = 1, ThreadTid = 2, ThreadName = 5;
// TrackEvent
constexpr uint32_t EventType = 9, EventNameIid = 10, EventTrack = 11;
constexpr uint64_t SliceBegin = 1, SliceEnd = 2;

constexpr uint64_t OurSequence = 1;
constexpr uint64_t ProcessTrack = 1;

using Message = ProtoMessage;

class Writer {
public:
  explicit Writer(const Profile &P) : P(P) {}
  std::string write();

private:
  void writeProcess();
  void writeThread(uint64_t Track, const Thread &T);
  void writeTrack(uint64_t Track, const std::vector<TimelineSpan> &Spans);
  void writeEvent(uint64_t Track, uint64_t Type, int64_t Ns,
                  const std::string &Name);

  const Profile &P;
  Message Trace;
  std::unordered_map<std::string, uint64_t> NameIds;
};
} // namespace

void Writer::writeProcess() {
  Message Process, Descriptor, Packet;
  Process.number(ProcessPid, static_cast<uint64_t>(P.Pid));
  Process.bytes(ProcessName, programName(P));
  Descriptor.number(Uuid, ProcessTrack);
  Descriptor.message(DescriptorProcess, Process);
  Packet.number(SequenceId, OurSequence);
  Packet.number(SequenceFlags, StateCleared);
  Packet.message(TrackDescriptor, Descriptor);
  Trace.message(TracePacket, Packet);
}

void Writer::writeThread(uint64_t Track, const Thread &T) {
  Message Thread, Descriptor, Packet;
  Thread.number(ThreadPid, static_cast<uint64_t>(P.Pid));
  Thread.number(ThreadTid, static_cast<uint64_t>(T.Tid));
  Thread.bytes(ThreadName, threadName(T));
  Descriptor.number(Uuid, Track);
  Descriptor.number(ParentUuid, ProcessTrack);
  Descriptor.message(DescriptorThread, Thread);
  Packet.number(SequenceId, OurSequence);
  Packet.message(TrackDescriptor, Descriptor);
  Trace.message(TracePacket, Packet);
}

void Writer::writeEvent(uint64_t Track, uint64_t Type, int64_t Ns,
                        const std::string &Name) {
  Message Event, Packet;
  Event.number(EventType, Type);
  Event.number(EventTrack, Track);
  if (Type == SliceBegin) {
    auto [Found, IsNew] = NameIds.try_emplace(Name, NameIds.size() + 1);
    Event.number(EventNameIid, Found->second);
    if (IsNew) {
      Message Entry, Interned;
      Entry.number(Iid, Found->second);
      Entry.bytes(InternedName, Name);
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

void Writer::writeTrack(uint64_t Track,
                        const std::vector<TimelineSpan> &Spans) {
  std::vector<int64_t> Ends; // of the open spans
  auto EndUntil = [&](int64_t Ns, size_t Keep) {
    while (Ends.size() > Keep && Ends.back() <= Ns) {
      writeEvent(Track, SliceEnd, Ends.back(), "");
      Ends.pop_back();
    }
  };
  for (size_t I = 0; I < Spans.size(); ++I) {
    // Spans of no length at one instant: the tree tells what is inside what.
    size_t Keep = 0;
    while (Keep < Ends.size() && Ends[Keep] >= Spans[I].EndNs)
      ++Keep;
    EndUntil(Spans[I].StartNs, Spans[I].StartNs == Spans[I].EndNs ? Keep : 0);
    writeEvent(Track, SliceBegin, Spans[I].StartNs, spanName(P, Spans[I]));
    Ends.push_back(Spans[I].EndNs);
  }
  EndUntil(INT64_MAX, 0);
}

std::string Writer::write() {
  writeProcess();
  for (size_t I = 0; I < P.Timeline.size(); ++I) {
    if (P.Timeline[I].empty())
      continue;
    uint64_t Track = ProcessTrack + 1 + I;
    writeThread(Track, P.Threads[I]);
    writeTrack(Track, P.Timeline[I]);
  }
  return std::move(Trace.Out);
}

std::string loopscope::exportPerfetto(const Profile &P) {
  return Writer(P).write();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns an event's fields into the event, with what is known about its device
// work and about the data that it exchanges with other ranks.

#include "Run/Kineto/JsonStrings.h"
#include "Run/Kineto/KinetoFields.h"
#include "Run/Kineto/Plausible.h"
#include "Run/Kineto/TraceKinds.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/TraceNumbers.h"
#include "Support/Printable.h"

#include <algorithm>
#include <iterator>

namespace loopscope {

uint32_t KinetoParser::internText(std::string_view Raw) {
  if (Raw.find('\\') == std::string_view::npos)
    return Trace.Strings.intern(Raw);
  return Trace.Strings.intern(unescapeJson(Raw));
}

uint32_t KinetoParser::track(std::string_view Pid, std::string_view Tid) {
  if (HasLastTrack && Pid == LastPid && Tid == LastTid)
    return LastTrack;
  LastPid = Pid;
  LastTid = Tid;
  HasLastTrack = true;
  TraceTrack Wanted{internText(Pid), internText(Tid)};
  auto [At, New] = TrackNumbers.try_emplace(
      static_cast<uint64_t>(Wanted.Pid) << 32 | Wanted.Tid,
      static_cast<uint32_t>(Trace.Tracks.size()));
  if (New)
    Trace.Tracks.push_back(Wanted);
  LastTrack = At->second;
  return LastTrack;
}

// An index in MemoryThreads.
uint32_t KinetoParser::memoryThread(std::string_view Pid,
                                    std::string_view Tid) {
  auto Is = [&](const std::pair<std::string, std::string> &Each) {
    return Each.second == Tid && Each.first == Pid;
  };
  if (LastMemoryThread < MemoryThreads.size() &&
      Is(MemoryThreads[LastMemoryThread]))
    return LastMemoryThread;
  auto Found = std::ranges::find_if(MemoryThreads, Is);
  LastMemoryThread = static_cast<uint32_t>(Found - MemoryThreads.begin());
  if (Found == MemoryThreads.end())
    MemoryThreads.emplace_back(Pid, Tid);
  return LastMemoryThread;
}

// Tracks have events with a duration: there is none for memory alone.
void KinetoParser::finish() {
  std::vector<uint32_t> TrackOf;
  for (const auto &[Pid, Tid] : MemoryThreads) {
    auto Found =
        std::ranges::find_if(Trace.Tracks, [&](const TraceTrack &Each) {
          return Trace.Strings[Each.Tid] == Tid &&
                 Trace.Strings[Each.Pid] == Pid;
        });
    TrackOf.push_back(
        Found == Trace.Tracks.end()
            ? LOOPSCOPE_NONE
            : static_cast<uint32_t>(Found - Trace.Tracks.begin()));
  }
  for (MemoryLane &Lane : To.MemoryOverTime) {
    for (MemoryChange &Each : Lane.Changes)
      Each.Track = TrackOf[Each.Track];
    std::ranges::stable_sort(Lane.Changes, {}, &MemoryChange::AtNs);
  }
}

void KinetoParser::takeMemory(const Fields &In) {
  constexpr int64_t Cpu = 0;
  constexpr int64_t Cuda = 1;
  int64_t Bytes = 0;
  int64_t Device = 0;
  int64_t Type = 0;
  if (!parseWhole(In.DeviceType, Type) || !parseWhole(In.TotalAllocated, Bytes))
    return;
  auto Raise = [](int64_t &Peak, int64_t By) { Peak = std::max(Peak, By); };
  if (Type == Cpu) {
    Raise(To.PeakHostMemory[""], Bytes);
    noteMemory(In, -1, Bytes, 0);
  }
  if (Type != Cuda || !parseWhole(In.DeviceId, Device))
    return;
  Raise(To.PeakMemory[Device], Bytes);
  int64_t Reserved = 0;
  if (parseWhole(In.TotalReserved, Reserved))
    Raise(To.PeakReserved[Device], Reserved);
  noteMemory(In, Device, Bytes, Reserved);
}

// What an allocator holds; DEVICE: -1 for the host's.
void KinetoParser::noteMemory(const Fields &In, int64_t Device, int64_t Held,
                              int64_t Reserved) {
  // Traces of many machines, put together by hand.
  constexpr size_t MostLanes = 1024;
  constexpr size_t MostThreads = 4096;
  MemoryChange Next;
  constexpr int64_t Most = int64_t{1} << 60; // the analyses subtract
  if (Held < 0 || Held > Most || !parseWhole(In.Bytes, Next.Bytes) ||
      Next.Bytes > Most || Next.Bytes < -Most ||
      !parseMicroseconds(In.Time, Next.AtNs) ||
      MemoryThreads.size() > MostThreads)
    return;
  Next.HeldBytes = static_cast<uint64_t>(Held);
  Next.UnusedBytes =
      static_cast<uint64_t>(std::max<int64_t>(0, Reserved - Held));
  Next.Track = memoryThread(In.Pid, In.Tid);
  auto Lane = std::ranges::find(To.MemoryOverTime, Device, &MemoryLane::Device);
  if (Lane == To.MemoryOverTime.end()) {
    if (To.MemoryOverTime.size() == MostLanes)
      return;
    To.MemoryOverTime.push_back(
        {Device < 0 ? MemoryKind::Host : MemoryKind::Device,
         Device,
         INT64_MIN,
         {}});
    Lane = std::prev(To.MemoryOverTime.end());
  }
  Lane->Changes.push_back(Next);
}

int64_t KinetoParser::inputBytes(TokenRange Shapes, TokenRange Types) const {
  // Shapes [[3, 4], []] and types ["float", "Scalar"] correspond by index.
  if (!isList(Shapes) || !isList(Types))
    return -1;
  int64_t Sum = -1;
  uint32_t T = Types.Begin + 1;
  for (uint32_t I = Shapes.Begin + 1; I < W.Count && kind(I) != ']';) {
    if (kind(I) == ',') {
      ++I;
      continue;
    }
    uint32_t Shape = I;
    if (skipValue(I) != Outcome::Whole)
      return -1;
    while (T < W.Count && kind(T) == ',')
      ++T;
    std::string_view Type;
    if (T >= W.Count || kind(T) != '"' || !text(T, Type))
      return Sum;
    ++T;
    int64_t Bytes = bytesOfElement(Type);
    if (kind(Shape) != '[' || Bytes < 0)
      continue;
    for (uint32_t D = Shape + 1; D + 1 < I; ++D) {
      std::string_view Extent;
      int64_t Value = 0;
      if (kind(D) == ',')
        continue;
      if (!text(D, Extent) || !parseWhole(Extent, Value) || Value < 0 ||
          __builtin_mul_overflow(Bytes, Value, &Bytes))
        return -1;
    }
    Sum = saturatingAdd(std::max<int64_t>(Sum, 0), Bytes);
  }
  return Sum;
}

bool KinetoParser::isList(TokenRange Value) const {
  return Value.End > Value.Begin + 1 && kind(Value.Begin) == '[';
}

// The text of a list as it is in the file; empty for other values.
std::string_view KinetoParser::rawList(TokenRange List) const {
  if (!isList(List))
    return {};
  size_t Begin = W.Index[List.Begin];
  return {W.Data + Begin, W.Index[List.End - 1] + 1 - Begin};
}

// [[64, 20], []] and ["float","Scalar"] as PyTorch prints them, without quotes.
std::string KinetoParser::listText(TokenRange List) const {
  if (!isList(List))
    return {};
  std::string Out;
  for (uint32_t I = List.Begin; I < List.End; ++I) {
    std::string_view Text;
    if (kind(I) == ',')
      Out += ", ";
    else if (kind(I) == '[' || kind(I) == ']')
      Out += kind(I);
    else if (text(I, Text))
      Out += unescapeJson(Text);
  }
  return printable(Out);
}

// The number of the operator's inputs in Run::Inputs; None if it names none.
uint32_t KinetoParser::inputs(const Fields &In) {
  if (!isList(In.Shapes))
    return None;
  uint64_t Key = static_cast<uint64_t>(RawLists.intern(rawList(In.Shapes)))
                     << 32 |
                 RawLists.intern(rawList(In.Types));
  auto [At, IsNew] =
      InputNumbers.try_emplace(Key, static_cast<uint32_t>(To.Inputs.size()));
  if (IsNew) {
    // PyTorch 1.8 writes no types at all.
    bool HasTypes = isList(In.Types) && kind(In.Types.Begin + 1) != ']';
    bool HasNone = kind(In.Shapes.Begin + 1) == ']';
    // Lists may differ in blanks alone.
    auto [Known, IsOther] = Inputs.try_emplace(
        {listText(In.Shapes), HasTypes || HasNone ? listText(In.Types) : ""},
        At->second);
    if (IsOther)
      To.Inputs.push_back(Known->first);
    else
      At->second = Known->second;
  }
  return At->second;
}

uint32_t KinetoParser::exchange(const Fields &In) {
  ExchangeFacts Facts;
  if (!In.Collective.empty()) {
    Facts.Operation = internText(In.Collective);
    Facts.Group = internText(In.Group);
    Facts.Ranks = internText(In.GroupRanks);
    parseWhole(In.Sequence, Facts.Sequence);
    parseWhole(In.GroupSize, Facts.GroupSize);
    int64_t Elements = -1;
    int64_t Bytes = bytesOfElement(In.ElementType);
    if (parseWhole(In.Elements, Elements) && Elements >= 0 && Bytes >= 0 &&
        !__builtin_mul_overflow(Bytes, Elements, &Bytes))
      Facts.Bytes = Bytes;
  } else if (isExchange(siteUse(In.Name))) {
    Facts.Bytes = inputBytes(In.Shapes, In.Types);
  } else {
    return 0;
  }
  Trace.Exchanges.push_back(Facts);
  return static_cast<uint32_t>(Trace.Exchanges.size() - 1);
}

void KinetoParser::takeEvent(Fields &In) {
  if (In.Phase != "X") {
    if (!In.TotalAllocated.empty())
      takeMemory(In);
    return;
  }
  TraceEvent Event;
  bool HasDuration = parseMicroseconds(In.Duration, Event.Duration);
  if (!parseMicroseconds(In.Time, Event.Start) || In.Name.empty() ||
      (!HasDuration && !In.Duration.empty())) {
    ++To.Lost.BadEvents;
    return;
  }
  Event.Kind = traceKind(In.Category, In.Name);
  if (Event.Duration < 0) {
    ++To.Lost.NegativeDurations;
    To.Lost.Wrong.Events += mayRestOn(Event);
    Event.Duration = 0;
  }
  if (Event.Kind == TraceKind::Other && !In.Category.empty() &&
      !isKnownCategory(In.Category))
    ++To.Lost.UnknownCategories[printable(std::string(In.Category))];
  Event.Name = internText(In.Name);
  Event.Track = track(In.Pid, In.Tid);
  Event.HasStack = In.HasStack;
  int64_t Number = 0;
  if (parseWhole(In.ExternalId, Number))
    Event.ExternalId = static_cast<uint64_t>(Number);
  if (parseWhole(In.Correlation, Number))
    Event.Correlation = static_cast<uint64_t>(Number);
  uint32_t Exchange = exchange(In);
  if (Exchange != 0 && !isDeviceWork(Event.Kind)) {
    Event.Device = static_cast<uint32_t>(Trace.Devices.size());
    Trace.Devices.emplace_back();
    Trace.Devices.back().Exchange = Exchange;
  }
  if (isDeviceWork(Event.Kind)) {
    DeviceFacts Facts;
    Facts.Exchange = Exchange;
    if (!parseWhole(In.Device, Facts.Device))
      parseWhole(In.Pid, Facts.Device);
    parseReal(In.BlocksPerSm, Facts.BlocksPerSm);
    parseReal(In.Occupancy, Facts.Occupancy);
    Event.Device = static_cast<uint32_t>(Trace.Devices.size());
    Trace.Devices.push_back(Facts);
  }
  if (Event.Kind == TraceKind::Operator)
    if (uint32_t Inputs = inputs(In); Inputs != None)
      Trace.InputsOf.push_back(
          {static_cast<uint32_t>(Trace.Events.size()), Inputs});
  Trace.Events.push_back(Event);
}

} // namespace loopscope

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays a recording at its own pace: the calls on the calling thread, and the
// buffers at CUPTI's recorded times. If this thread was held up, everything after
// that is later by as much: the device of the recording can't run a kernel before
// its launch.

#include "Recording.h"

#include "Cupti.h"
#include "Device.h"

#include "gpu/cupti_abi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace replay;
namespace cupti = loopscope::runtime::cupti;

namespace {
[[noreturn]] void refuse(const char *Why) {
  std::fprintf(stderr, "replay: the recording %s\n", Why);
  std::abort();
}

// Reads a file's bytes, with bounds checks.
class Reader {
public:
  Reader(const char *At, size_t Left) : At(At), Left(Left) {}
  bool atEnd() const { return Left == 0; }
  const char *take(size_t Bytes) {
    if (Bytes > Left)
      refuse("is cut off");
    const char *Taken = At;
    At += Bytes;
    Left -= Bytes;
    return Taken;
  }
  template <typename T> T get() {
    T Value;
    std::memcpy(&Value, take(sizeof(T)), sizeof(T));
    return Value;
  }

private:
  const char *At;
  size_t Left;
};

// Less than the collector allows for clocks that differ.
constexpr uint64_t NoticedNs = 5000000;

class Player {
public:
  // Every so many items the thread is held up for STALL_MS.
  void play(Reader In, unsigned StallMs) {
    constexpr unsigned Every = 16;
    for (unsigned Played = 1; !In.atEnd(); ++Played) {
      if (StallMs != 0 && Played % Every == 0)
        sleepUntil(timestamp() + StallMs * uint64_t(1000000));
      auto I = In.get<recording::Item>();
      Reader Contents(In.take(I.Size), I.Size);
      if (I.Type == recording::CallItem)
        playCall(Contents);
      else if (I.Type == recording::NameItem)
        readName(Contents);
      else if (I.Type == recording::GraphNodeItem)
        playGraphNode(Contents);
      else if (I.Type == recording::BufferItem)
        playBuffer(Contents);
      else
        refuse("has an item of unknown type");
    }
  }

private:
  // Waits for a moment of the recording; returns it on this run's clock.
  uint64_t reach(uint64_t Time) {
    if (First == 0) {
      First = Time;
      Began = timestamp();
    }
    uint64_t Here = shifted(Time);
    sleepUntil(Here);
    if (uint64_t Now = timestamp(); Now > Here + NoticedNs)
      Began += Now - Here;
    return shifted(Time);
  }
  uint64_t shifted(uint64_t Time) const {
    return Time == 0 ? 0 : Time - First + Began;
  }

  void playCall(Reader In) {
    auto C = In.get<recording::Call>();
    reach(C.Time);
    std::string &Kept = CallNames[{C.Domain, C.Id}];
    Kept.assign(In.take(C.NameLength), C.NameLength);
    cupti::CallbackData Data{};
    Data.Site = C.Site;
    Data.CorrelationId = C.Correlation;
    Data.FunctionName = Kept.c_str();
    fireRecorded(C.Domain, C.Id, Data);
    // From the first callback on, the clock is the tool's.
    if (C.Time == First)
      Began = timestamp();
  }

  void playGraphNode(Reader In) {
    auto N = In.get<recording::GraphNode>();
    reach(N.Time);
    fireGraphNode(N.Event, &N.Id, &N.Original);
  }

  void readName(Reader In) {
    auto N = In.get<recording::Name>();
    Names[N.Address].assign(In.take(N.Length), N.Length);
  }

  void playBuffer(Reader In) {
    auto B = In.get<recording::Buffer>();
    reach(B.Time);
    std::vector<uint32_t> Sizes(B.Count + B.Count % 2);
    for (uint32_t &Size : Sizes)
      Size = In.get<uint32_t>();
    Sizes.resize(B.Count);
    std::vector<std::string> Records;
    for (uint32_t Size : Sizes)
      Records.push_back(adapt(std::string(In.take(Size), Size)));
    deliverRecorded(Records);
  }

  // Translates the record's times to this run and its pointers to this process.
  std::string adapt(std::string Record) {
    uint32_t Kind = 0;
    std::memcpy(&Kind, Record.data(), sizeof(Kind));
    if (Kind == cupti::ConcurrentKernelKind) {
      moveTimes(Record, offsetof(cupti::KernelRecord, Start));
      moveName(Record, offsetof(cupti::KernelRecord, Name));
    } else if (Kind == cupti::CopyKind || Kind == cupti::PeerCopyKind ||
               Kind == cupti::SetKind) {
      moveTimes(Record, offsetof(cupti::CopyRecord, Start));
    } else if (Kind == cupti::OverheadKind) {
      moveTimes(Record, offsetof(cupti::OverheadRecord, Start));
      if (Record.size() > offsetof(cupti::OverheadRecord, Data))
        std::memset(Record.data() + offsetof(cupti::OverheadRecord, Data), 0,
                    sizeof(void *));
    } else if (Kind == cupti::MemoryKind) {
      moveTime(Record, offsetof(cupti::MemoryRecord, Time));
      // The name and, in later versions, the source.
      for (size_t At : {size_t(64), size_t(120)})
        if (Record.size() >= At + sizeof(void *))
          std::memset(Record.data() + At, 0, sizeof(void *));
    } else if (Kind == cupti::DeviceKind) {
      moveName(Record, offsetof(cupti::DeviceRecord, Name));
    }
    return Record;
  }

  void moveTime(std::string &Record, size_t Offset) {
    uint64_t Time = 0;
    std::memcpy(&Time, Record.data() + Offset, sizeof(Time));
    Time = shifted(Time);
    std::memcpy(Record.data() + Offset, &Time, sizeof(Time));
  }

  // Start and end are adjacent in all records of work.
  void moveTimes(std::string &Record, size_t Offset) {
    moveTime(Record, Offset);
    moveTime(Record, Offset + sizeof(uint64_t));
  }

  void moveName(std::string &Record, size_t Offset) {
    uint64_t Address = 0;
    std::memcpy(&Address, Record.data() + Offset, sizeof(Address));
    auto Found = Names.find(Address);
    if (Found == Names.end())
      refuse("has a record whose name is missing");
    const char *Text = Found->second.c_str();
    auto Here = reinterpret_cast<uint64_t>(Text);
    std::memcpy(Record.data() + Offset, &Here, sizeof(Here));
  }

  uint64_t First = 0;
  uint64_t Began = 0;
  std::map<std::pair<uint32_t, uint32_t>, std::string> CallNames;
  std::map<uint64_t, std::string> Names;
};
} // namespace

extern "C" void playRecording(const char *Path, unsigned StallMs) {
  std::ifstream File(Path, std::ios::binary);
  std::string Bytes{std::istreambuf_iterator<char>(File),
                    std::istreambuf_iterator<char>()};
  Reader In(Bytes.data(), Bytes.size());
  auto H = In.get<recording::Header>();
  if (std::memcmp(H.Magic, recording::Magic, sizeof(H.Magic)) != 0)
    refuse("isn't one");
  // Before the first callback, in which the tool may request records.
  useRecordedDevices();
  static Player P; // its names must stay valid
  P.play(In, StallMs);
}

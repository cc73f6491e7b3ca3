// TensorBoard's scalar event files: TFRecord framing around tensorflow.Event
// messages.
//
//   <KIND>/step_s, draw_s, steps_per_s    every finished step of a loop
//   <KIND>/samples_per_s                  the loop's mean, at its last step
//   epoch/<PHASE>_s                       every finished epoch
//
// KIND is train or valid. Field numbers are those of tensorflow's event.proto
// and summary.proto.
#include "Report/Export.h"

#include "Report/Numbers.h"
#include "Report/PathTree.h"
#include "Report/Protobuf.h"
#include "Report/Stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

using namespace loopscope;

namespace {
// Event
constexpr uint32_t WallTime = 1, Step = 2, FileVersion = 3, EventSummary = 5;
// Summary, Summary.Value
constexpr uint32_t SummaryValue = 1, ValueTag = 1, SimpleValue = 2;

// The table of CRC-32C, Castagnoli's polynomial, reflected.
constexpr std::array<uint32_t, 256> crcTable() {
  constexpr uint32_t Polynomial = 0x82F63B78;
  std::array<uint32_t, 256> Table{};
  for (uint32_t I = 0; I < Table.size(); ++I) {
    uint32_t Value = I;
    for (int Bit = 0; Bit < 8; ++Bit)
      Value = (Value >> 1) ^ ((Value & 1) != 0 ? Polynomial : 0);
    Table[I] = Value;
  }
  return Table;
}

// TFRecord's check sum: CRC-32C, rotated and moved so that a CRC of data with
// CRCs in it stays a good one.
uint32_t maskedCrc(const std::string &Bytes) {
  static constexpr std::array<uint32_t, 256> Table = crcTable();
  constexpr uint32_t Mask = 0xA282EAD8;
  uint32_t Crc = ~0U;
  for (char C : Bytes)
    Crc = Table[(Crc ^ static_cast<unsigned char>(C)) & 0xFF] ^ (Crc >> 8);
  Crc = ~Crc;
  return ((Crc >> 15) | (Crc << 17)) + Mask;
}

template <typename T> std::string littleEndian(T Value) {
  std::string Bytes;
  for (unsigned I = 0; I < sizeof Value; ++I)
    Bytes += static_cast<char>(Value >> (8 * I));
  return Bytes;
}

// One value of the file.
struct Scalar {
  int64_t AtNs = 0; ///< since the run's start
  int64_t Step = 0;
  std::string Tag;
  double Value = 0;
};

class Collector {
public:
  explicit Collector(const Run &P) : P(P) {}

  std::vector<Scalar> collect() {
    for (const std::vector<TimelineSpan> &Track : P.Timeline)
      addTrack(Track);
    addRates();
    // A reader wants time to go forward.
    std::stable_sort(
        Found.begin(), Found.end(),
        [](const Scalar &A, const Scalar &B) { return A.AtNs < B.AtNs; });
    return std::move(Found);
  }

private:
  struct Epoch {
    int64_t StartNs = 0;
    int64_t EndNs = 0;
    std::map<std::string, int64_t> PhasesNs;
  };

  void add(const TimelineSpan &At, int64_t Step, std::string Tag,
           double Value) {
    Found.push_back({At.EndNs, Step, std::move(Tag), Value});
  }

  static double lengthOf(const TimelineSpan &Span) {
    return static_cast<double>(Span.EndNs - Span.StartNs) / NsPerSecond;
  }

  // "train" for the steps of training loops.
  std::string loopOf(const TimelineSpan &Span) const {
    return kindWord(P.Nodes[P.Nodes[Span.Node].Parent].Kind);
  }

  // Spans come by start, parents before children, so a step's draw and batch
  // follow it, and what an epoch holds follows the epoch.
  void addTrack(const std::vector<TimelineSpan> &Track) {
    std::vector<Epoch> Epochs;
    const TimelineSpan *Last = nullptr; // step without a batch so far
    for (const TimelineSpan &Span : Track) {
      const Node &N = P.Nodes[Span.Node];
      if (Span.Open)
        continue;
      if (N.Kind == LOOPSCOPE_KIND_EPOCH)
        Epochs.push_back({Span.StartNs, Span.EndNs, {}});
      if (N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None && Span.Step >= 0)
        Last = &Span;
      // The last draw of a loop has no batch and is no step.
      if (Last && N.Parent == Last->Node && N.Kind == LOOPSCOPE_KIND_BATCH) {
        addStep(*Last, Span);
        Last = nullptr;
      }
      bool IsPhase =
          N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_DRAW;
      if (IsPhase && !Epochs.empty() && Span.EndNs <= Epochs.back().EndNs)
        Epochs.back().PhasesNs[treeName(P, N)] += Span.EndNs - Span.StartNs;
    }
    for (size_t I = 0; I < Epochs.size(); ++I) {
      auto At = static_cast<int64_t>(I);
      Found.push_back(
          {Epochs[I].EndNs, At, "epoch/epoch_s",
           static_cast<double>(Epochs[I].EndNs - Epochs[I].StartNs) /
               NsPerSecond});
      for (const auto &[Name, Ns] : Epochs[I].PhasesNs)
        Found.push_back({Epochs[I].EndNs, At, "epoch/" + Name + "_s",
                         static_cast<double>(Ns) / NsPerSecond});
    }
  }

  void addStep(const TimelineSpan &Whole, const TimelineSpan &Batch) {
    std::string Loop = loopOf(Whole);
    double Seconds = lengthOf(Whole);
    // Some loops count from 0 every time; a curve needs steps that go on.
    auto [At, New] = LastSteps.try_emplace(Loop, Whole, Whole.Step);
    if (!New)
      At->second = {Whole, std::max(Whole.Step, At->second.second + 1)};
    int64_t Step = At->second.second;
    add(Whole, Step, Loop + "/step_s", Seconds);
    // A step is its draw and then its batch.
    add(Whole, Step, Loop + "/draw_s",
        static_cast<double>(Batch.StartNs - Whole.StartNs) / NsPerSecond);
    if (Seconds > 0)
      add(Whole, Step, Loop + "/steps_per_s", 1 / Seconds);
  }

  // Samples are counted per call path, not per step: one mean for each loop.
  void addRates() {
    std::map<std::string, std::pair<uint64_t, int64_t>> Sums;
    for (const Node &N : P.Nodes)
      if (N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None) {
        auto &[Samples, Ns] = Sums[kindWord(P.Nodes[N.Parent].Kind)];
        Samples += N.Samples;
        Ns = saturatingAdd(Ns, N.FinishedNs);
      }
    for (const auto &[Loop, At] : LastSteps)
      if (auto [Samples, Ns] = Sums[Loop]; Samples != 0 && Ns > 0)
        add(At.first, At.second, Loop + "/samples_per_s",
            static_cast<double>(Samples) /
                (static_cast<double>(Ns) / NsPerSecond));
  }

  const Run &P;
  // By loop: its last step, and the step's number in the file.
  std::map<std::string, std::pair<TimelineSpan, int64_t>> LastSteps;
  std::vector<Scalar> Found;
};

void appendRecord(std::string &Out, const ProtoMessage &Event) {
  std::string Length = littleEndian(static_cast<uint64_t>(Event.Out.size()));
  Out += Length + littleEndian(maskedCrc(Length));
  Out += Event.Out + littleEndian(maskedCrc(Event.Out));
}
} // namespace

std::string loopscope::exportTensorBoard(const Run &P) {
  auto Time = [&](int64_t Ns) {
    return static_cast<double>(saturatingAdd(P.StartRealtimeNs, Ns)) /
           NsPerSecond;
  };
  std::string Out;
  ProtoMessage First;
  First.real(WallTime, Time(0));
  First.bytes(FileVersion, "brain.Event:2");
  appendRecord(Out, First);
  for (const Scalar &Each : Collector(P).collect()) {
    ProtoMessage Value, Summary, Event;
    Value.bytes(ValueTag, Each.Tag);
    Value.shortReal(SimpleValue, static_cast<float>(Each.Value));
    Summary.message(SummaryValue, Value);
    Event.real(WallTime, Time(Each.AtNs));
    Event.number(Step, static_cast<uint64_t>(Each.Step));
    Event.message(EventSummary, Summary);
    appendRecord(Out, Event);
  }
  return Out;
}

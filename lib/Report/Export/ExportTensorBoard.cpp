// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorBoard's scalar event files: TFRecord framing around tensorflow.Event
// messages.
//
//   <LOOP>/step_s, draw_s, steps_per_s    every finished step of a loop
//   <LOOP>/samples_per_s                  the loop's mean, at its last step
//   <EPOCH>/<PHASE>_s                     every finished epoch
//
// LOOP is train, or valid in fit and the stage's name in validate, test and
// predict; EPOCH is epoch, in these stages validate_epoch and so on. Field
// numbers are those of tensorflow's event.proto and summary.proto.

#include "Report/Export/Export.h"

#include "Analysis/Tree/PathTree.h"
#include "Report/Export/Protobuf.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

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

// TFRecord's check sum: CRC-32C, rotated and offset so that a CRC over data
// that contains CRCs remains useful.
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

class MetricSums {
public:
  explicit MetricSums(const Run &R) : R(R), StageOf(findStages(R).Of) {}

  std::vector<Scalar> collect() {
    for (const std::vector<TimelineSpan> &Track : R.Timeline)
      addTrack(Track);
    addRates();
    // Readers expect time to go forward.
    std::stable_sort(
        Found.begin(), Found.end(),
        [](const Scalar &A, const Scalar &B) { return A.AtNs < B.AtNs; });
    return std::move(Found);
  }

private:
  struct Epoch {
    std::string Group;
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

  // The name of the stage that contains NODE, if it is one that only evaluates.
  std::string evaluation(uint32_t Node) const {
    loopscope_kind Stage = StageOf[Node];
    return isStage(Stage) && Stage != LOOPSCOPE_KIND_FIT ? kindWord(Stage) : "";
  }

  // "train" for the steps of training loops.
  std::string loopOf(uint32_t Step) const {
    loopscope_kind Loop = R.Nodes[R.Nodes[Step].Parent].Kind;
    std::string Stage = evaluation(Step);
    return Stage.empty() || Loop != LOOPSCOPE_KIND_VALID ? kindWord(Loop)
                                                         : Stage;
  }

  std::string epochsOf(uint32_t Epoch) const {
    std::string Stage = evaluation(Epoch);
    return Stage.empty() ? "epoch" : Stage + "_epoch";
  }

  // Spans come by start, parents before children, so a step's draw and batch
  // follow it, and what an epoch holds follows the epoch.
  void addTrack(const std::vector<TimelineSpan> &Track) {
    std::vector<Epoch> Epochs;
    const TimelineSpan *Last = nullptr; // step without a batch so far
    for (const TimelineSpan &Span : Track) {
      const Node &N = R.Nodes[Span.Node];
      if (Span.Open)
        continue;
      if (N.Kind == LOOPSCOPE_KIND_EPOCH)
        Epochs.push_back({epochsOf(Span.Node), Span.StartNs, Span.EndNs, {}});
      if (N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None && Span.Step >= 0)
        Last = &Span;
      // A loop's last draw has no batch and isn't a step.
      if (Last && N.Parent == Last->Node && N.Kind == LOOPSCOPE_KIND_BATCH) {
        addStep(*Last, Span);
        Last = nullptr;
      }
      bool IsPhase =
          N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_DRAW ||
          N.Kind == LOOPSCOPE_KIND_WAIT || N.Kind == LOOPSCOPE_KIND_COLLECTIVE;
      if (IsPhase && !Epochs.empty() && Span.EndNs <= Epochs.back().EndNs)
        Epochs.back().PhasesNs[treeName(R, N)] += Span.EndNs - Span.StartNs;
    }
    std::map<std::string, int64_t> Number; // of the next epoch, by group
    for (const Epoch &Each : Epochs) {
      int64_t At = Number[Each.Group]++;
      Found.push_back(
          {Each.EndNs, At, Each.Group + "/epoch_s",
           static_cast<double>(Each.EndNs - Each.StartNs) / NsPerSecond});
      for (const auto &[Name, Ns] : Each.PhasesNs)
        Found.push_back({Each.EndNs, At,
                         fmt::format("{}/{}_s", Each.Group, Name),
                         static_cast<double>(Ns) / NsPerSecond});
    }
  }

  void addStep(const TimelineSpan &Whole, const TimelineSpan &Batch) {
    std::string Loop = loopOf(Whole.Node);
    double Seconds = lengthOf(Whole);
    // Some loops restart at 0 every time; a curve needs steps that continue.
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
    for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
      const Node &N = R.Nodes[I];
      if (N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None) {
        auto &[Samples, Ns] = Sums[loopOf(I)];
        Samples += N.Samples;
        Ns = saturatingAdd(Ns, N.FinishedNs);
      }
    }
    for (const auto &[Loop, At] : LastSteps)
      if (auto [Samples, Ns] = Sums[Loop]; Samples != 0 && Ns > 0)
        add(At.first, At.second, Loop + "/samples_per_s",
            static_cast<double>(Samples) /
                (static_cast<double>(Ns) / NsPerSecond));
  }

  const Run &R;
  std::vector<loopscope_kind> StageOf; // by node
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

std::string loopscope::exportTensorBoard(const Run &R) {
  auto Time = [&](int64_t Ns) {
    return static_cast<double>(saturatingAdd(R.StartRealtimeNs, Ns)) /
           NsPerSecond;
  };
  std::string Out;
  ProtoMessage First;
  First.real(WallTime, Time(0));
  First.bytes(FileVersion, "brain.Event:2");
  appendRecord(Out, First);
  for (const Scalar &Each : MetricSums(R).collect()) {
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

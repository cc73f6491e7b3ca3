// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header, what has a name, and the order of the others.

#include "Run/Read/SinceReset.h"

#include "Run/Read/Clock.h"
#include "Run/Read/SubtractOverTime.h"
#include "Run/Read/SubtractTree.h"
#include "Support/Numbers.h"

#include <loopscope/amount_rows.h>
#include <loopscope/named_losses.h>
#include <loopscope/profile_copy.h>
#include <loopscope/run_settings.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>

using namespace loopscope;

namespace {
using Which = TwoProfiles::Which;
using Header = loopscope_profile_header;

// A copy of PROFILE, each node as it was at one moment.
std::vector<std::byte> copyOf(std::span<const std::byte> Profile) {
  std::vector<std::byte> Result(Profile.begin(), Profile.end());
  auto *To = reinterpret_cast<char *>(Result.data());
  for (const loopscope_chunk_header *C : chunksOf(Profile)) {
    profile_copy::Source From{C, 0};
    if (!profile_copy::isNodes(From))
      continue;
    char *Entries = To + (profile_copy::entriesOf(From) -
                          reinterpret_cast<const char *>(Profile.data()));
    for (uint32_t I = 0; I < C->capacity; ++I)
      profile_copy::copyNode(From, I, Entries + uint64_t(I) * C->entry_size);
  }
  return Result;
}

// The counters that say how something is, not how often it happened.
bool isState(const std::string &Key) {
  static const std::set<std::string> All = [] {
    std::set<std::string> Keys = {LOOPSCOPE_COUNT_STACKS_USER_ONLY,
                                  LOOPSCOPE_COUNT_STACKS_TICK_NS,
                                  LOOPSCOPE_COUNT_STACKS_EVERY_NS};
#define LOOPSCOPE_ADD_(IDENTIFIER, KEY, LINE) Keys.insert(KEY);
    LOOPSCOPE_SETTINGS(LOOPSCOPE_ADD_)
#undef LOOPSCOPE_ADD_
    // Of a process from some moment on, and of call paths.
    auto Add = [&](const char *Key, const char *Noun) {
      std::string Of = Noun == nullptr ? "" : Noun;
      if (Of == "run" || Of == "call path")
        Keys.insert(Key);
    };
#define LOOPSCOPE_ADD_(IDENTIFIER, KEY, NAME, NOUN, WHAT) Add(KEY, NOUN);
    LOOPSCOPE_NAMED_LOSSES(LOOPSCOPE_ADD_)
#undef LOOPSCOPE_ADD_
    Keys.insert("functions.off");
    return Keys;
  }();
  return All.contains(Key);
}

// What the open spans of a profile gave, by the key of its sum and by node: the
// part in which they end has it.
class OpenAmounts {
public:
  explicit OpenAmounts(ProfileBytes &Of) {
    std::map<uint32_t, uint64_t> Finished; // of nodes with an open span
    for (const NodeRecord &Each : Of.nodes())
      if (Each.Node.open != 0)
        Finished[Each.Index] = Each.Node.count;
    std::map<std::string, std::string> SumOf;
    for (const SpanAmountRow &Row : SpanAmounts)
      SumOf[Row.Last] = Row.Sum;
    std::map<std::pair<std::string, uint32_t>, uint64_t> Counts;
    for (const auto &Each : Of.nodeSums()) {
      std::string Key = Of.text(Each.Value.key);
      Counts[{Key, Each.Value.node}] = Each.Value.count;
      if (auto Sum = SumOf.find(Key); Sum != SumOf.end())
        Last[{Sum->second, Each.Value.node}] =
            std::bit_cast<double>(Each.Value.sum);
    }
    std::erase_if(Last, [&](const auto &Each) {
      auto Node = Finished.find(Each.first.second);
      auto Count = Counts.find(Each.first);
      return Node == Finished.end() || Count == Counts.end() ||
             Count->second <= Node->second;
    });
  }

  /// SUM without them.
  loopscope_node_sum without(const loopscope_node_sum &Sum,
                             const std::string &Key) const {
    loopscope_node_sum Result = Sum;
    auto Found = Last.find({Key, Sum.node});
    if (Found != Last.end() && Sum.count != 0) {
      --Result.count;
      Result.sum = std::bit_cast<uint64_t>(
          std::max(0.0, std::bit_cast<double>(Sum.sum) - Found->second));
    }
    return Result;
  }

private:
  std::map<std::pair<std::string, uint32_t>, double> Last;
};

// Whether KEY says what the last span gave.
bool isLast(const std::string &Key) {
  return std::ranges::any_of(
      SpanAmounts, [&](const SpanAmountRow &Row) { return Key == Row.Last; });
}

// Whether the sum stays.
bool subtractSum(loopscope_node_sum &Now, const loopscope_node_sum &Then) {
  if (Now.unit == LOOPSCOPE_SUM_REAL)
    Now.sum = std::bit_cast<uint64_t>(std::max(
        0.0, std::bit_cast<double>(Now.sum) - std::bit_cast<double>(Then.sum)));
  else
    Now.sum = lessBy(Now.sum, Then.sum);
  Now.count = lessBy(Now.count, Then.count);
  return Now.count != 0 || (Now.unit != LOOPSCOPE_SUM_REAL && Now.sum != 0);
}

void subtractNamed(TwoProfiles &Both, ProfileBytes &Texts,
                   ProfileBytes &Earlier, Subtracted &Learned) {
  using Counter = loopscope_counter_value;
  using Sum = loopscope_node_sum;
  Both.each<Counter>(LOOPSCOPE_CHUNK_COUNTERS, Which::Used,
                     [&](Counter &Now, const Counter *Then, uint32_t) {
                       if (Then != nullptr && !isState(Texts.text(Now.key)))
                         Now.value = lessBy(Now.value, Then->value);
                     });
  OpenAmounts OpenNow(Texts);
  OpenAmounts OpenThen(Earlier);
  Both.keep(LOOPSCOPE_CHUNK_NODE_SUMS, sizeof(Sum),
            [&](const TwoProfiles::Record &R) {
              auto &Now = *reinterpret_cast<Sum *>(R.Now);
              std::string Key = Texts.text(Now.key);
              if (Key == LOOPSCOPE_SUM_FUNCTIONS_OFF) {
                Now.sum = lessBy(Now.sum, Both.beganSinceStart());
                return true;
              }
              // Readers would take what it is for out once more.
              if (isLast(Key))
                return false;
              Now = OpenNow.without(Now, Key);
              Sum Then{};
              if (R.Then != nullptr)
                Then = OpenThen.without(*reinterpret_cast<const Sum *>(R.Then),
                                        Key);
              bool Stays = subtractSum(Now, Then);
              if (Stays)
                Learned.NodesInUse.insert(Now.node);
              return Stays;
            });
}

// The nodes in which samples of the part were taken.
void noteSampledNodes(TwoProfiles &Both, Subtracted &Learned) {
  using Frame = loopscope_frame;
  std::vector<const Frame *> Frames;
  Both.each<Frame>(LOOPSCOPE_CHUNK_FRAMES, Which::Used,
                   [&](const Frame &Now, const Frame *, uint32_t) {
                     Frames.push_back(&Now);
                   });
  constexpr int MostFrames = 1024;
  for (const Frame *At : Frames) {
    if (At->count == 0)
      continue;
    for (int Depth = 0; Depth < MostFrames && At->parent < Frames.size();
         ++Depth)
      At = Frames[At->parent];
    constexpr int NodeShift = 32;
    if (At->state == LOOPSCOPE_FRAME_THREAD)
      Learned.NodesInUse.insert(
          static_cast<uint32_t>(At->address >> NodeShift));
  }
}

// What was measured of whole spans: all but what the profiler cost.
bool isOfWholeSpans(const std::string &Key) {
  return Key.starts_with("cpu.") && Key != LOOPSCOPE_SUM_CPU_INTERRUPTED;
}

// What belongs to call paths that aren't there any more, and what was measured
// of spans that were mostly before.
void leaveOutUnused(TwoProfiles &Both, ProfileBytes &Texts,
                    const Subtracted &Learned) {
  auto LeaveOut = [&]<typename T>(uint32_t Type, T /*Example*/) {
    Both.keep(Type, sizeof(T), [&](const TwoProfiles::Record &R) {
      return Learned.NodesInUse.contains(
          reinterpret_cast<const T *>(R.Now)->node);
    });
  };
  LeaveOut(LOOPSCOPE_CHUNK_NODE_SUMS, loopscope_node_sum{});
  using Sum = loopscope_node_sum;
  Both.keep(LOOPSCOPE_CHUNK_NODE_SUMS, sizeof(Sum),
            [&](const TwoProfiles::Record &R) {
              const auto &Now = *reinterpret_cast<const Sum *>(R.Now);
              return !Learned.MostlyBefore.contains(Now.node) ||
                     !isOfWholeSpans(Texts.text(Now.key));
            });
  LeaveOut(LOOPSCOPE_CHUNK_NODE_KEYS, loopscope_node_key{});
}

void subtractDevices(TwoProfiles &Both) {
  using Device = loopscope_gpu_device;
  Both.each<Device>(LOOPSCOPE_CHUNK_GPU_DEVICES, Which::Used,
                    [&](Device &Now, const Device *, uint32_t) {
                      if (Now.last_end_ticks <= Both.began()) {
                        Now.first_start_ticks = UINT64_MAX;
                        Now.last_end_ticks = 0;
                      } else {
                        Now.first_start_ticks =
                            std::max(Now.first_start_ticks, Both.began());
                      }
                    });
}

// The clock goes on at the whole run's rate, which a short part alone wouldn't
// tell.
void subtractHeader(Header &Now, const Header &Then, uint64_t Began) {
  __extension__ using Wide = unsigned __int128;
  Clock Ticks(Now);
  auto SinceStart = lessBy(Began, Now.start_ticks);
  auto Ns = static_cast<uint64_t>(Ticks.toNs(SinceStart));
  constexpr uint64_t Long = uint64_t(1) << 50;
  if (uint64_t InNs = static_cast<uint64_t>(Ticks.toNs(Long)); InNs != 0)
    Now.nominal_hz = static_cast<uint64_t>(Wide(Long) * NsPerSecond / InNs);
  Now.start_ticks += SinceStart;
  Now.start_ns += Ns;
  Now.start_realtime_ns += static_cast<int64_t>(Ns);
  for (size_t I = 0; I < LOOPSCOPE_COUNT_MAX; ++I)
    Now.counters[I] = lessBy(Now.counters[I], Then.counters[I]);
  for (uint64_t Header::*Each :
       {&Header::gpu_launches, &Header::gpu_records, &Header::gpu_cost_ticks,
        &Header::sampler_rounds, &Header::sampler_cost_ns})
    Now.*Each = lessBy(Now.*Each, Then.*Each);
  for (size_t I = 0; I < std::size(Now.gpu_overhead_ticks); ++I)
    Now.gpu_overhead_ticks[I] =
        lessBy(Now.gpu_overhead_ticks[I], Then.gpu_overhead_ticks[I]);
  if (Now.gpu_start_ticks != 0)
    Now.gpu_start_ticks = std::max(Now.gpu_start_ticks, Began);
  Now.flags |= LOOPSCOPE_FLAG_DIVIDED;
}
} // namespace

PartBytes loopscope::sinceReset(std::span<const std::byte> Profile,
                                std::span<const std::byte> Before) {
  PartBytes Result;
  Result.Bytes = copyOf(Profile);
  auto Texts = ProfileBytes::parse(Result.Bytes, "");
  auto Earlier = ProfileBytes::parse(Before, "");
  if (!Texts || !Earlier)
    return Result;
  HistoryRecords Now = readHistoryRecords(*Texts);
  HistoryRecords Then = readHistoryRecords(*Earlier);
  TwoProfiles Both(Result.Bytes, Before);
  Subtracted Learned;
  subtractHistory(Both, Now, Then);
  subtractRecords(Both, Learned);
  subtractOverTime(Both, Learned);
  subtractNamed(Both, *Texts, *Earlier, Learned);
  subtractDevices(Both);
  noteSampledNodes(Both, Learned);
  subtractTree(Both, Learned);
  leaveOutUnused(Both, *Texts, Learned);
  subtractHeader(Both.now(), Both.then(), Both.began());
  Result.SpansAcross = Learned.SpansAcross;
  Result.Approximate = Learned.Approximate;
  return Result;
}

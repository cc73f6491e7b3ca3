// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bins in which the part begins are subtracted, others are on one side.

#include "Run/Read/SubtractOverTime.h"

#include "Run/Read/TimelineReader.h"

#include <loopscope/history_lanes.h>

#include <algorithm>
#include <map>
#include <utility>

using namespace loopscope;

namespace {
using Bin = loopscope_history_bin;
using Steps = loopscope_history_steps;
using Which = TwoProfiles::Which;

void subtractSums(Bin &From, const Bin &Less) {
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++I) {
    loopscope_history_gauge &Gauge = From.gauge[I];
    Gauge.samples =
        static_cast<uint32_t>(lessBy(Gauge.samples, Less.gauge[I].samples));
    Gauge.sum = lessBy(Gauge.sum, Less.gauge[I].sum);
  }
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_LANES; ++I)
    From.ticks[I] = lessBy(From.ticks[I], Less.ticks[I]);
}

void subtractSums(Steps &From, Steps Less) {
  history::lower(From, Less.lowest_pair);
  history::lower(Less, From.lowest_pair);
  From.samples = lessBy(From.samples, Less.samples);
  From.steps = static_cast<uint32_t>(lessBy(From.steps, Less.steps));
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_BUCKETS; ++I)
    From.bucket[I] =
        static_cast<uint32_t>(lessBy(From.bucket[I], Less.bucket[I]));
}

// NOW and THEN in order of time. The bin in which the part began has all up to
// its end, less all that was there before.
template <typename T>
std::vector<T> sinceBegan(const std::vector<T> &Now, const std::vector<T> &Then,
                          uint64_t Began) {
  T Up{};
  std::vector<T> Result;
  for (const T &Each : Now) {
    if (Each.begin_ticks >= Began) {
      Result.push_back(Each);
      continue;
    }
    history::merge(Up, Each);
    if (Each.end_ticks <= Began)
      continue;
    T Before{};
    for (const T &Earlier : Then)
      history::merge(Before, Earlier);
    if (Before.end_ticks != 0)
      subtractSums(Up, Before);
    Up.begin_ticks = Began;
    Result.push_back(Up);
  }
  return Result;
}

// Writes RECORDS to the places of TYPE, of which there are enough, and clears
// the others.
template <typename T>
void replaceRecords(TwoProfiles &Both, uint32_t Type,
                    const std::vector<T> &Records) {
  size_t Next = 0;
  Both.each<T>(Type, Which::All, [&](T &Place, const T *, uint32_t) {
    Place = Next < Records.size() ? Records[Next] : T{};
    ++Next;
  });
}

// Records that are written once, in order: those up to the last one of the
// earlier profile aren't of the part.
template <typename T> void subtractRing(TwoProfiles &Both, uint32_t Type) {
  uint64_t Newest = 0;
  Both.each<T>(Type, Which::All, [&](T &, const T *Then, uint32_t) {
    if (Then != nullptr)
      Newest = std::max(Newest, Then->sequence);
  });
  Both.each<T>(Type, Which::All, [&](T &Now, const T *, uint32_t) {
    if (Now.sequence <= Newest)
      Now.sequence = 0;
  });
}

void subtractDeviceEvents(TwoProfiles &Both, Subtracted &Learned) {
  using Event = loopscope_gpu_event;
  Both.each<Event>(LOOPSCOPE_CHUNK_GPU_EVENTS, Which::All,
                   [&](Event &Now, const Event *, uint32_t) {
                     if (Now.sequence == 0 || Now.end_ticks <= Both.began()) {
                       Now.sequence = 0;
                       return;
                     }
                     Now.start_ticks = std::max(Now.start_ticks, Both.began());
                     Learned.NodesInUse.insert(Now.node);
                     Learned.NodesInUse.insert(Now.made_in - 1);
                   });
}

// What was held when the part began stays as an operation on nothing.
void subtractMemoryEvents(TwoProfiles &Both, Subtracted &Learned) {
  using Event = loopscope_gpu_memory_event;
  std::map<std::pair<uint32_t, uint16_t>, uint64_t> LastBefore;
  auto IsBefore = [&](const Event &Of) { return Of.ticks <= Both.began(); };
  Both.each<Event>(LOOPSCOPE_CHUNK_GPU_MEMORY_EVENTS, Which::All,
                   [&](Event &Now, const Event *, uint32_t) {
                     uint64_t &Last = LastBefore[{Now.device, Now.kind}];
                     if (IsBefore(Now))
                       Last = std::max(Last, Now.sequence);
                   });
  Both.each<Event>(LOOPSCOPE_CHUNK_GPU_MEMORY_EVENTS, Which::All,
                   [&](Event &Now, const Event *, uint32_t) {
                     if (!IsBefore(Now)) {
                       Learned.NodesInUse.insert(Now.node);
                       return;
                     }
                     if (Now.sequence != LastBefore[{Now.device, Now.kind}])
                       Now.sequence = 0;
                     Now.ticks = Both.began();
                     Now.bytes = 0;
                     Now.node = LOOPSCOPE_NONE;
                   });
}

// A block keeps its events from the first one on that is of the part. Ends
// without a begin are known to readers: of spans that were open then.
void subtractBlock(loopscope_event_block &Block, uint64_t Began) {
  auto *End = Block.event + LOOPSCOPE_EVENT_BLOCK_EVENTS;
  auto *First = std::find_if(Block.event, End, [&](uint64_t Word) {
    PackedEvent Event(Word);
    return Word == 0 || (Event.Type != LOOPSCOPE_EVENT_NUMBER &&
                         Block.base_ticks + Event.Value >= Began);
  });
  std::fill(std::move(First, End, Block.event), End, 0);
}

void subtractEvents(TwoProfiles &Both) {
  using Block = loopscope_event_block;
  Both.each<Block>(LOOPSCOPE_CHUNK_EVENTS, Which::Used,
                   [&](Block &Now, const Block *, uint32_t) {
                     if (Now.sequence != 0 && Now.base_ticks < Both.began())
                       subtractBlock(Now, Both.began());
                   });
}

// Beyond the sums, which are subtracted already: what the ranges that were open
// then had so far. It belongs to those that have ended as far as the begins of
// those that are open allow.
void subtractOpenRanges(loopscope_range &Now, const loopscope_range &Then,
                        uint64_t SinceStart) {
  uint64_t Had = lessBy(Then.open * SinceStart, Then.open_start_ticks);
  uint64_t Begins = Now.open_start_ticks + Had;
  uint64_t Shift = Now.open * SinceStart;
  uint64_t OfEnded = std::min({Had, lessBy(Begins, Shift), Now.sum_ticks});
  Now.sum_ticks -= OfEnded;
  Now.open_start_ticks = lessBy(Begins - OfEnded, Shift);
  if (Now.count == 1)
    Now.min_ticks = Now.max_ticks = Now.sum_ticks;
  Now.max_ticks = std::min(Now.max_ticks, Now.sum_ticks);
  if (Now.count != 0)
    Now.min_ticks = std::min(Now.min_ticks, Now.max_ticks);
}

void subtractRanges(TwoProfiles &Both) {
  using Range = loopscope_range;
  using Event = loopscope_range_event;
  uint64_t Shift = Both.beganSinceStart();
  Both.each<Range>(LOOPSCOPE_CHUNK_RANGES, Which::Used,
                   [&](Range &Now, const Range *Then, uint32_t) {
                     static const Range None{};
                     subtractOpenRanges(Now, Then == nullptr ? None : *Then,
                                        Shift);
                   });
  Both.each<Event>(LOOPSCOPE_CHUNK_RANGE_EVENTS, Which::All,
                   [&](Event &Now, const Event *, uint32_t) {
                     if (Now.end_ticks != 0 && Now.end_ticks <= Shift)
                       Now.sequence = 0;
                     Now.begin_ticks = lessBy(Now.begin_ticks, Shift);
                     Now.end_ticks = lessBy(Now.end_ticks, Shift);
                   });
}

// Takes out of bin INDEX of NOW what the earlier profile has in its time. Its
// extremes are the whole's where they may come from before.
void subtractBin(loopscope_value_record &Now,
                 const loopscope_value_record &Then, uint32_t Index) {
  loopscope_value_bin &Bin = Now.bin[Index];
  uint32_t Used = std::min(Then.used, LOOPSCOPE_VALUE_BINS);
  for (uint32_t I = 0; I < Used; ++I) {
    if (I * Then.width_ticks / Now.width_ticks != Index)
      continue;
    Bin.count = lessBy(Bin.count, Then.bin[I].count);
    Bin.not_finite = lessBy(Bin.not_finite, Then.bin[I].not_finite);
    Bin.sum -= Then.bin[I].sum;
  }
  if (Bin.count == 0)
    Bin.sum = Bin.min = Bin.max = Bin.last = 0;
  else if (Bin.count == 1)
    Bin.sum = Bin.min = Bin.max = Bin.last;
}

void addBin(loopscope_value_bin &To, const loopscope_value_bin &Earlier) {
  To.not_finite += Earlier.not_finite;
  if (Earlier.count == 0)
    return;
  To.min = To.count == 0 ? Earlier.min : std::min(To.min, Earlier.min);
  To.max = To.count == 0 ? Earlier.max : std::max(To.max, Earlier.max);
  To.last = To.count == 0 ? Earlier.last : To.last;
  To.count += Earlier.count;
  To.sum += Earlier.sum;
}

// The bins of a value keep the run's grid: the first one is that in which the
// part began. It also has what threads told while the earlier profile was
// written.
void subtractValue(loopscope_value_record &Now,
                   const loopscope_value_record *Then, uint64_t SinceStart) {
  if (Now.width_ticks == 0 || Now.used > LOOPSCOPE_VALUE_BINS)
    return;
  auto First = static_cast<uint32_t>(
      std::min<uint64_t>(SinceStart / Now.width_ticks, Now.used));
  if (Then != nullptr)
    for (uint32_t I = 0; I <= First && I < Now.used; ++I)
      subtractBin(Now, *Then, I);
  First = std::min(First, LOOPSCOPE_VALUE_BINS - 1);
  for (uint32_t I = First; I-- > 0;)
    addBin(Now.bin[First], Now.bin[I]);
  bool IsLate = Now.bin[First].count != 0 || Now.bin[First].not_finite != 0;
  Now.used = std::max(Now.used, First + (IsLate ? 1 : 0));
  auto *End = Now.bin + LOOPSCOPE_VALUE_BINS;
  std::fill(std::move(Now.bin + First, End, Now.bin), End,
            loopscope_value_bin{});
  Now.used -= First;
}

void subtractValues(TwoProfiles &Both) {
  using Value = loopscope_value_record;
  Both.each<Value>(LOOPSCOPE_CHUNK_VALUES, Which::Used,
                   [&](Value &Now, const Value *Then, uint32_t) {
                     subtractValue(Now, Then, Both.beganSinceStart());
                   });
}

void subtractExperiments(TwoProfiles &Both) {
  using Block = loopscope_whatif_block;
  Both.each<Block>(LOOPSCOPE_CHUNK_WHATIF, Which::Used,
                   [&](Block &Now, const Block *, uint32_t) {
                     if (Now.start_ticks < Both.began())
                       Now.state = LOOPSCOPE_WHATIF_DROPPED;
                   });
}
} // namespace

void loopscope::subtractHistory(TwoProfiles &Both, const HistoryRecords &Now,
                                const HistoryRecords &Then) {
  replaceRecords(Both, LOOPSCOPE_CHUNK_HISTORY,
                 sinceBegan(Now.Bins, Then.Bins, Both.began()));
  std::vector<Steps> All;
  for (uint32_t Lane = 0; Lane < Now.Lanes.size(); ++Lane) {
    auto OfLane = [Lane](const std::vector<Steps> &Records) {
      std::vector<Steps> Result;
      std::ranges::copy_if(Records, std::back_inserter(Result),
                           [Lane](const Steps &S) { return S.lane == Lane; });
      return Result;
    };
    std::ranges::copy(
        sinceBegan(OfLane(Now.Steps), OfLane(Then.Steps), Both.began()),
        std::back_inserter(All));
  }
  replaceRecords(Both, LOOPSCOPE_CHUNK_HISTORY_STEPS, All);
}

void loopscope::subtractOverTime(TwoProfiles &Both, Subtracted &Learned) {
  subtractRing<loopscope_collective>(Both, LOOPSCOPE_CHUNK_COLLECTIVES);
  subtractRing<loopscope_own_step>(Both, LOOPSCOPE_CHUNK_OWN_STEPS);
  subtractDeviceEvents(Both, Learned);
  subtractMemoryEvents(Both, Learned);
  subtractEvents(Both);
  subtractRanges(Both);
  subtractValues(Both);
  subtractExperiments(Both);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table, and how each kind of field is subtracted.

#include "Run/Read/SubtractRules.h"

#include <algorithm>
#include <bit>

using namespace loopscope;

namespace {
enum class As {
  Sum,     ///< a whole number that grows
  Real,    ///< a double that grows
  Squares, ///< 128 bits, the low half first
  /// The least and the greatest duration, beside `count` and `sum_ticks`; of
  /// doubles, beside `count`.
  Extremes,
  RealExtremes,
  Node,      ///< an index that the record refers to
  NodeAfter, ///< the same plus 1; 0: none
  Held       ///< not of the part alone, and worth the record unless 0
};

struct Field {
  As Kind;
  size_t At;
};

// What to do with a record in which nothing was added.
enum class Unchanged {
  Keep,
  LeaveOut, ///< of a list
  Clear     ///< of a hash table
};

struct Rule {
  uint32_t Type;
  size_t Size;
  Unchanged Otherwise;
  std::vector<Field> Fields;
  /// Where Extremes have their number, its part without values, and its sum.
  size_t Count = 0, Without = 0, Sum = 0;
};

std::vector<Field> overlapFields() {
  using T = loopscope_gpu_overlap;
  std::vector<Field> Result = {{As::Sum, offsetof(T, ticks)}};
  for (uint32_t I = 0; I < LOOPSCOPE_GPU_OVERLAP_NODES; ++I)
    Result.push_back({As::Node, offsetof(T, nodes) + I * sizeof(uint32_t)});
  return Result;
}

const std::vector<Rule> &rules() {
  using Device = loopscope_gpu_device;
  using Work = loopscope_gpu_work;
  using Same = loopscope_gpu_same_work;
  using OfNode = loopscope_gpu_node;
  using Wait = loopscope_gpu_wait;
  using Memory = loopscope_gpu_memory;
  using Use = loopscope_gpu_use;
  using Metric = loopscope_metric_sum;
  using Range = loopscope_range;
  using Link = loopscope_operator_link;
  using Peer = loopscope_peer;
  using Stack = loopscope_stack;
  static const std::vector<Rule> All = {
      {LOOPSCOPE_CHUNK_GPU_DEVICES,
       sizeof(Device),
       Unchanged::Keep,
       {{As::Sum, offsetof(Device, busy_ticks)},
        {As::Sum, offsetof(Device, kernel_ticks)},
        {As::Sum, offsetof(Device, copy_ticks)},
        {As::Real, offsetof(Device, multiprocessor_ticks)},
        {As::Node, offsetof(Device, memory_peak_node)}}},
      {LOOPSCOPE_CHUNK_GPU_WORK,
       sizeof(Work),
       Unchanged::LeaveOut,
       {{As::Extremes, offsetof(Work, min_ticks)},
        {As::Sum, offsetof(Work, count)},
        {As::Sum, offsetof(Work, no_time)},
        {As::Sum, offsetof(Work, sum_ticks)},
        {As::Squares, offsetof(Work, square_low)},
        {As::Sum, offsetof(Work, bytes)},
        {As::Sum, offsetof(Work, graph_count)},
        {As::Sum, offsetof(Work, shorter)},
        {As::Sum, offsetof(Work, queue_ticks)},
        {As::Real, offsetof(Work, blocks_per_sm_ticks)},
        {As::Real, offsetof(Work, occupancy_ticks)},
        {As::Real, offsetof(Work, occupancy_known_ticks)},
        {As::Sum, offsetof(Work, busy_ticks)},
        {As::Node, offsetof(Work, node)},
        {As::NodeAfter, offsetof(Work, made_in)}},
       offsetof(Work, count),
       offsetof(Work, no_time),
       offsetof(Work, sum_ticks)},
      {LOOPSCOPE_CHUNK_GPU_SAME_WORK,
       sizeof(Same),
       Unchanged::Keep,
       {{As::Sum, offsetof(Same, busy_ticks)}}},
      {LOOPSCOPE_CHUNK_GPU_NODES,
       sizeof(OfNode),
       Unchanged::LeaveOut,
       {{As::Sum, offsetof(OfNode, busy_ticks)},
        {As::Sum, offsetof(OfNode, kernel_ticks)},
        {As::Sum, offsetof(OfNode, idle_ticks)},
        {As::Node, offsetof(OfNode, node)}}},
      {LOOPSCOPE_CHUNK_GPU_OVERLAPS, sizeof(loopscope_gpu_overlap),
       Unchanged::LeaveOut, overlapFields()},
      {LOOPSCOPE_CHUNK_GPU_WAITS,
       sizeof(Wait),
       Unchanged::LeaveOut,
       {{As::Sum, offsetof(Wait, ticks)},
        {As::Node, offsetof(Wait, waiter)},
        {As::Node, offsetof(Wait, worker)}}},
      {LOOPSCOPE_CHUNK_GPU_MEMORY,
       sizeof(Memory),
       Unchanged::LeaveOut,
       {{As::Sum, offsetof(Memory, allocations)},
        {As::Sum, offsetof(Memory, allocated_bytes)},
        {As::Sum, offsetof(Memory, frees)},
        {As::Sum, offsetof(Memory, freed_bytes)},
        {As::Held, offsetof(Memory, held_bytes)},
        {As::Node, offsetof(Memory, node)}}},
      {LOOPSCOPE_CHUNK_GPU_USE,
       sizeof(Use),
       Unchanged::LeaveOut,
       {{As::RealExtremes, offsetof(Use, min)},
        {As::Sum, offsetof(Use, windows)},
        {As::Sum, offsetof(Use, ticks)},
        {As::Sum, offsetof(Use, busy_ticks)},
        {As::Real, offsetof(Use, integral)},
        {As::Node, offsetof(Use, node)}},
       offsetof(Use, windows)},
      {LOOPSCOPE_CHUNK_METRIC_SUMS,
       sizeof(Metric),
       Unchanged::LeaveOut,
       {{As::RealExtremes, offsetof(Metric, min)},
        {As::Sum, offsetof(Metric, count)},
        {As::Real, offsetof(Metric, sum)},
        {As::Node, offsetof(Metric, node)}},
       offsetof(Metric, count)},
      {LOOPSCOPE_CHUNK_RANGES,
       sizeof(Range),
       Unchanged::Keep,
       {{As::Extremes, offsetof(Range, min_ticks)},
        {As::Sum, offsetof(Range, count)},
        {As::Sum, offsetof(Range, sum_ticks)},
        {As::Sum, offsetof(Range, ended_again)}},
       offsetof(Range, count),
       SIZE_MAX,
       offsetof(Range, sum_ticks)},
      {LOOPSCOPE_CHUNK_OPERATOR_LINKS,
       sizeof(Link),
       Unchanged::Clear,
       {{As::Sum, offsetof(Link, count)},
        {As::Node, offsetof(Link, forward)},
        {As::NodeAfter, offsetof(Link, backward)}}},
      {LOOPSCOPE_CHUNK_PEERS,
       sizeof(Peer),
       Unchanged::Clear,
       {{As::Sum, offsetof(Peer, calls)},
        {As::Sum, offsetof(Peer, bytes)},
        {As::Node, offsetof(Peer, node)}}},
      {LOOPSCOPE_CHUNK_STACKS,
       sizeof(Stack),
       Unchanged::Clear,
       {{As::Sum, offsetof(Stack, count)}, {As::Node, offsetof(Stack, node)}}},
      {LOOPSCOPE_CHUNK_FRAMES,
       sizeof(loopscope_frame),
       Unchanged::Keep,
       {{As::Sum, offsetof(loopscope_frame, count)}}}};
  return All;
}

template <typename T> T get(const std::byte *Record, size_t At) {
  T Value;
  std::memcpy(&Value, Record + At, sizeof(T));
  return Value;
}

template <typename T> void put(std::byte *Record, size_t At, T Value) {
  std::memcpy(Record + At, &Value, sizeof(T));
}

bool isChanged(const Rule &By, const TwoProfiles::Record &R) {
  return std::ranges::any_of(By.Fields, [&](const Field &Each) {
    if (Each.Kind == As::Held)
      return get<uint64_t>(R.Now, Each.At) != 0;
    uint64_t Before = R.Then == nullptr ? 0 : get<uint64_t>(R.Then, Each.At);
    return (Each.Kind == As::Sum || Each.Kind == As::Real) &&
           get<uint64_t>(R.Now, Each.At) != Before;
  });
}

Extremes extremesOf(const Rule &By, const Field &Of, const std::byte *Record) {
  uint64_t Without =
      By.Without == SIZE_MAX ? 0 : get<uint64_t>(Record, By.Without);
  return {lessBy(get<uint64_t>(Record, By.Count), Without),
          get<uint64_t>(Record, By.Sum), get<uint64_t>(Record, Of.At),
          get<uint64_t>(Record, Of.At + sizeof(uint64_t))};
}

// Those of doubles stay the whole's where it had values before, unless one of
// the part is beyond them.
bool realExtremesAreExact(const Rule &By, const Field &Of,
                          const TwoProfiles::Record &R) {
  constexpr size_t Size = sizeof(double);
  return get<uint64_t>(R.Then, By.Count) == 0 ||
         (get<double>(R.Now, Of.At) < get<double>(R.Then, Of.At) &&
          get<double>(R.Now, Of.At + Size) > get<double>(R.Then, Of.At + Size));
}

bool subtractField(const Rule &By, const Field &Of,
                   const TwoProfiles::Record &R) {
  switch (Of.Kind) {
  case As::Sum:
    put(R.Now, Of.At,
        lessBy(get<uint64_t>(R.Now, Of.At), get<uint64_t>(R.Then, Of.At)));
    return true;
  case As::Real:
    put(R.Now, Of.At,
        std::max(0.0, get<double>(R.Now, Of.At) - get<double>(R.Then, Of.At)));
    return true;
  case As::Squares: {
    __extension__ using Wide = unsigned __int128;
    auto A = get<Wide>(R.Now, Of.At);
    auto B = get<Wide>(R.Then, Of.At);
    put(R.Now, Of.At, A > B ? A - B : Wide(0));
    return true;
  }
  case As::Extremes: {
    Extremes Now = extremesOf(By, Of, R.Now);
    Extremes Then = extremesOf(By, Of, R.Then);
    Extremes Part = {lessBy(Now.Count, Then.Count), lessBy(Now.Sum, Then.Sum),
                     0, 0};
    auto IsExact = static_cast<bool>(subtractExtremes(Now, Then, Part));
    put(R.Now, Of.At, Part.Least);
    put(R.Now, Of.At + sizeof(uint64_t), Part.Most);
    return IsExact;
  }
  case As::RealExtremes:
    return realExtremesAreExact(By, Of, R);
  case As::Node:
  case As::NodeAfter:
  case As::Held:
    return true;
  }
  return true;
}

void noteNodes(const Rule &By, const std::byte *Record, Subtracted &Learned) {
  for (const Field &Each : By.Fields) {
    if (Each.Kind == As::Node)
      Learned.NodesInUse.insert(get<uint32_t>(Record, Each.At));
    else if (Each.Kind == As::NodeAfter)
      Learned.NodesInUse.insert(get<uint32_t>(Record, Each.At) - 1);
  }
}

// Whether the record stays.
bool subtractRecord(const Rule &By, const TwoProfiles::Record &R,
                    Subtracted &Learned) {
  bool Changed = isChanged(By, R);
  if (Changed || By.Otherwise == Unchanged::Keep)
    noteNodes(By, R.Now, Learned);
  bool IsExact = true;
  if (R.Then != nullptr)
    for (const Field &Each : By.Fields)
      IsExact = subtractField(By, Each, R) && IsExact;
  Learned.Approximate += Changed && !IsExact;
  if (!Changed && By.Otherwise == Unchanged::Clear)
    std::memset(R.Now, 0, R.Size);
  return Changed || By.Otherwise != Unchanged::LeaveOut;
}
} // namespace

Exact loopscope::subtractExtremes(const Extremes &Now, const Extremes &Then,
                                  Extremes &Part) {
  if (Part.Count == 0) {
    Part.Least = UINT64_MAX;
    Part.Most = 0;
    return {};
  }
  if (Part.Count == 1) {
    Part.Least = Part.Most = Part.Sum;
    return {};
  }
  Exact Are = {Then.Count == 0 || Now.Least < Then.Least,
               Then.Count == 0 || Now.Most > Then.Most};
  uint64_t Mean = Part.Sum / Part.Count;
  uint64_t MeanUp = Mean + (Part.Sum % Part.Count == 0 ? 0 : 1);
  Part.Least = std::min(Now.Least, Mean);
  Part.Most = std::clamp(Now.Most, MeanUp, Part.Sum);
  return Are;
}

void loopscope::subtractRecords(TwoProfiles &Both, Subtracted &Learned) {
  for (const Rule &Each : rules())
    Both.keep(Each.Type, Each.Size, [&](const TwoProfiles::Record &R) {
      return subtractRecord(Each, R, Learned);
    });
}

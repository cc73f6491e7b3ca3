/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which call paths a run's history follows, for the runtime that writes it and
 * the reader that compares it with the call paths; and how bins are merged. C++
 * only.
 */
#ifndef LOOPSCOPE_HISTORY_LANES_H
#define LOOPSCOPE_HISTORY_LANES_H

#include <loopscope/profile_format.h>

namespace loopscope::history {

/// The metric of a gauge, and its PARTS; see LOOPSCOPE_HISTORY_GAUGES.
struct GaugeKind {
  const char *Metric;
  double Parts;
};
#define LOOPSCOPE_GAUGE_ROW_(IDENTIFIER, METRIC, PARTS) {METRIC, PARTS},
/// By loopscope_history_gauge_kind.
inline constexpr GaugeKind Gauges[] = {
    LOOPSCOPE_HISTORY_GAUGES(LOOPSCOPE_GAUGE_ROW_)};
#undef LOOPSCOPE_GAUGE_ROW_

/// What the call paths of a lane have in common; see loopscope_history_lane.
struct Key {
  uint32_t Site = LOOPSCOPE_NONE;
  uint32_t Kind = LOOPSCOPE_KIND_ROOT; ///< ROOT: belongs to no lane
  uint32_t Loop = LOOPSCOPE_NONE;
  bool IsNested = false; ///< the loop runs inside another loop's steps

  bool isLane() const { return Kind != LOOPSCOPE_KIND_ROOT; }
  /// A loop's steps, or their draw, which has the loop's site: with room of
  /// their own. Other draws are parts.
  bool isLoops() const {
    return Kind == LOOPSCOPE_KIND_STEP ||
           (Kind == LOOPSCOPE_KIND_DRAW && Loop != LOOPSCOPE_NONE &&
            Site == Loop);
  }
  bool operator==(const Key &Other) const {
    return Site == Other.Site && Kind == Other.Kind && Loop == Other.Loop &&
           IsNested == Other.IsNested;
  }
};

/// Whether spans of this kind only hold others: what is directly in them has a
/// lane.
inline bool isContainer(uint32_t Kind) {
  switch (Kind) {
  case LOOPSCOPE_KIND_ROOT:
  case LOOPSCOPE_KIND_FIT:
  case LOOPSCOPE_KIND_VALIDATE:
  case LOOPSCOPE_KIND_TEST:
  case LOOPSCOPE_KIND_PREDICT:
  case LOOPSCOPE_KIND_EPOCH:
  case LOOPSCOPE_KIND_TRAIN:
  case LOOPSCOPE_KIND_VALID:
  case LOOPSCOPE_KIND_BATCH:
    return true;
  default:
    return false;
  }
}

/// The key of a lane.
inline Key keyOf(const loopscope_history_lane &Lane) {
  return {Lane.site, Lane.kind, Lane.loop,
          (Lane.flags & LOOPSCOPE_HISTORY_NESTED) != 0};
}

/// Whether N is inside a step. OF is as below.
template <typename Tree, typename Node> bool isInStep(const Tree &Of, Node N) {
  for (Node Up = Of.parent(N); !Of.isRoot(Up); Up = Of.parent(Up))
    if (Of.kind(Up) == LOOPSCOPE_KIND_STEP)
      return true;
  return false;
}

/// The key of N. OF gives a node's parent (isRoot(parent) ends), kind, site,
/// and whether it is a cut:
///   Of.parent(n), Of.isRoot(n), Of.kind(n), Of.site(n), Of.isCut(n)
/// Steps and their draws, what is directly in a batch or in no phase at all,
/// and outermost waits inside the phases of a step have one.
template <typename Tree, typename Node> Key keyOf(const Tree &Of, Node N) {
  if (Of.isRoot(N) || Of.isCut(N))
    return {};
  uint32_t Kind = Of.kind(N);
  bool IsWait =
      Kind == LOOPSCOPE_KIND_WAIT || Kind == LOOPSCOPE_KIND_COLLECTIVE;
  Node Parent = Of.parent(N);
  bool IsDirect = isContainer(Of.kind(Parent));
  bool IsStepDraw =
      Kind == LOOPSCOPE_KIND_DRAW && Of.kind(Parent) == LOOPSCOPE_KIND_STEP;
  if (Kind == LOOPSCOPE_KIND_STEP)
    return {Of.site(N), Kind, Of.site(N), isInStep(Of, N)};
  if (isContainer(Kind) || Kind == LOOPSCOPE_KIND_SERVED ||
      (!IsDirect && !IsStepDraw && !IsWait))
    return {};
  for (Node Up = Parent; !Of.isRoot(Up); Up = Of.parent(Up)) {
    uint32_t Around = Of.kind(Up);
    if (Around == LOOPSCOPE_KIND_STEP)
      return {IsDirect || IsStepDraw ? Of.site(N) : LOOPSCOPE_NONE, Kind,
              Of.site(Up), isInStep(Of, Up)};
    if (!IsDirect &&
        (Around == LOOPSCOPE_KIND_WAIT || Around == LOOPSCOPE_KIND_DRAW ||
         Around == LOOPSCOPE_KIND_COLLECTIVE))
      return {};
  }
  return IsDirect ? Key{Of.site(N), Kind, LOOPSCOPE_NONE, false} : Key{};
}

/// The lowest pair for a loop whose shortest step is in bucket SHORTEST: room
/// down to a third of it, and up to 20 times.
inline uint8_t lowestPair(uint64_t Shortest) {
  constexpr uint64_t PairsBelow = 6;
  uint64_t Pair = Shortest / 2;
  return static_cast<uint8_t>(Pair > PairsBelow ? Pair - PairsBelow : 0);
}

/// Where a duration in BUCKET of loopscope_histogram counts.
inline uint32_t pairOf(uint64_t Bucket, uint8_t Lowest) {
  uint64_t Pair = Bucket / 2 < Lowest ? 0 : Bucket / 2 - Lowest;
  return Pair < LOOPSCOPE_HISTORY_BUCKETS ? static_cast<uint32_t>(Pair)
                                          : LOOPSCOPE_HISTORY_BUCKETS - 1;
}

/// Makes room for shorter steps.
inline void lower(loopscope_history_steps &Of, uint8_t Lowest) {
  constexpr uint32_t Top = LOOPSCOPE_HISTORY_BUCKETS - 1;
  for (; Of.lowest_pair > Lowest; --Of.lowest_pair) {
    uint32_t Longest = Of.bucket[Top];
    for (uint32_t I = Top; I != 0; --I)
      Of.bucket[I] = Of.bucket[I - 1];
    Of.bucket[Top] += Longest;
    Of.bucket[0] = 0;
  }
}

inline void addSums(loopscope_history_bin &To,
                    const loopscope_history_bin &From) {
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++I) {
    loopscope_history_gauge &Gauge = To.gauge[I];
    Gauge.samples += From.gauge[I].samples;
    Gauge.sum += From.gauge[I].sum;
    if (From.gauge[I].max > Gauge.max)
      Gauge.max = From.gauge[I].max;
  }
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_LANES; ++I)
    To.ticks[I] += From.ticks[I];
}

inline void addSums(loopscope_history_steps &To, loopscope_history_steps From) {
  lower(To, From.lowest_pair);
  lower(From, To.lowest_pair);
  To.samples += From.samples;
  To.steps += From.steps;
  if (From.longest > To.longest)
    To.longest = From.longest;
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_BUCKETS; ++I)
    To.bucket[I] += From.bucket[I];
}

/// Adds a bin, or a loop's steps in one, to the one before it. Either may be
/// unused.
template <typename Bin> void merge(Bin &To, const Bin &From) {
  if (From.end_ticks == 0)
    return;
  if (To.end_ticks == 0) {
    To = From;
    return;
  }
  addSums(To, From);
  To.end_ticks = From.end_ticks;
}

} // namespace loopscope::history

#endif // LOOPSCOPE_HISTORY_LANES_H

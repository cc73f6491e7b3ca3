// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at everything that is followed: as often as bins are added, and every
// 250 ms at the latest, unless that would take more than 0.2 % of a CPU.

#include "extension.h"

#include "bins.h"
#include "lanes.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "base/plain_read.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/tree.h"

#include <loopscope/named_losses.h>

#include <string.h>

using namespace loopscope::runtime;
using loopscope::history::Gauges;

namespace {
constexpr uint64_t FirstWidthNs = 10 * NsPerMs;
// The longest time between looks.
constexpr uint64_t MostBetweenNs = 250 * NsPerMs;
// After a look, the thread rests for so many times what it cost: 0.2 % of a
// CPU.
constexpr uint64_t RestOfLook = 500;

struct HistoryState {
  HistoryBins All;
  // The sampler's values since the last look.
  loopscope_history_gauge Waiting[LOOPSCOPE_HISTORY_GAUGE_COUNT];
  uint64_t DueNs;
  bool IsOver; // out of memory
};
HistoryState State;

void noteReading(const char *Metric, double Value) {
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++I) {
    if (strcmp(Gauges[I].Metric, Metric) != 0)
      continue;
    double Parts = Value * Gauges[I].Parts + 0.5;
    auto Whole = Parts >= UINT32_MAX ? UINT32_MAX
                 : Parts > 0         ? static_cast<uint32_t>(Parts)
                                     : 0;
    loopscope_history_gauge &To = State.Waiting[I];
    ++To.samples;
    To.sum += Whole;
    To.max = Whole > To.max ? Whole : To.max;
  }
}

// Moves the values since the last look into the last bin.
void placeReadings() {
  loopscope_history_bin Waiting{};
  memcpy(Waiting.gauge, State.Waiting, sizeof(State.Waiting));
  loopscope::history::addSums(State.All.last(), Waiting);
  memset(State.Waiting, 0, sizeof(State.Waiting));
}

// The time may be less than at the last look: a span that was open then ended
// earlier, or a draw interrupted it.
void placeTime(Followed &Of, uint64_t Now) {
  uint64_t Ticks = Of.timeAt(Now);
  if (Ticks >= Of.Ticks)
    State.All.last().ticks[Of.Lane] += Ticks - Of.Ticks;
  else
    State.All.takeBack(Of.Lane, Of.Ticks - Ticks);
  Of.Ticks = Ticks;
}

// Adds what a bucket grew by. The last span isn't in the histogram yet, except
// while its thread adds it: then the next look sees less, and waits for more.
LOOPSCOPE_READS_PLAINLY void placeDurations(Followed &Of,
                                            loopscope_history_steps &To) {
  const loopscope_histogram *Counts = links(Of.Of).Histogram;
  if (Of.Buckets == nullptr || Counts == nullptr)
    return;
  uint8_t &Lowest = lowestPairOf(loopOf(Of.Lane));
  if (uint8_t Own = loopscope::history::lowestPair(
          bucketOf(plainRead(&Of.Of->min_ticks)));
      Own < Lowest)
    Lowest = Own;
  if (To.steps == 0 && To.longest == 0)
    To.lowest_pair = Lowest;
  loopscope::history::lower(To, Lowest);
  uint64_t Last = bucketOf(plainRead(&Of.Of->last_ticks));
  for (uint32_t I = 0; I < LOOPSCOPE_HISTOGRAM_BUCKETS; ++I) {
    uint64_t Count = plainRead(&Counts->bucket[I]) + (I == Last);
    if (Count <= Of.Buckets[I] || Count == UINT64_MAX)
      continue;
    To.bucket[loopscope::history::pairOf(I, Lowest)] +=
        static_cast<uint32_t>(Count - Of.Buckets[I]);
    Of.Buckets[I] = Count;
    if (To.longest < I + 1)
      To.longest = static_cast<uint16_t>(I + 1);
  }
}

LOOPSCOPE_READS_PLAINLY void placeSteps(Followed &Of) {
  uint64_t Count = plainRead(&Of.Of->count);
  uint64_t Samples = plainRead(&Of.Of->samples);
  if (Count == Of.Count && Samples == Of.Samples)
    return;
  loopscope_history_steps *To = State.All.stepsOf(loopOf(Of.Lane), Of.Lane);
  if (To == nullptr)
    return;
  placeDurations(Of, *To);
  To->steps += static_cast<uint32_t>(Count - Of.Count);
  To->samples += Samples - Of.Samples;
  Of.Count = Count;
  Of.Samples = Samples;
}

bool look() {
  adoptPaths();
  uint64_t Now = now();
  if (!State.All.prepare(Header->start_ticks, Now))
    return false;
  placeReadings();
  // Later call paths are parts of earlier ones, which so have what their parts
  // have.
  for (uint32_t I = followedCount(); I != 0; --I) {
    Followed &Of = followed(I - 1);
    placeTime(Of, Now);
    if (Of.Of == Of.Step)
      placeSteps(Of);
  }
  State.All.extend(Now);
  return true;
}

void start() { registerCounter(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT); }

void begin() {
  State.All.WidthTicks = FirstWidthNs * TicksPerSecond / NsPerSecond;
  State.DueNs = monotonicNs() + FirstWidthNs;
}

uint64_t dueAt() { return State.IsOver ? UINT64_MAX : State.DueNs; }

void lookWhenDue() {
  uint64_t Before = threadCpuNs();
  if (!look()) {
    State.IsOver = true;
    return;
  }
  uint64_t Rest = (threadCpuNs() - Before) * RestOfLook;
  uint64_t Width = State.All.WidthTicks * 1000 / TicksPerSecond * NsPerMs;
  uint64_t Next = Width < MostBetweenNs ? Width : MostBetweenNs;
  State.DueNs = monotonicNs() + (Rest > Next ? Rest : Next);
}

uint64_t follow(Node *N) {
  offerPath(N);
  return 0;
}

void followSteps(Node *Step) {
  offerPath(Step);
  offerPath(links(Step).FirstChild);
}

void reset() {
  State = {};
  resetLanes();
}
} // namespace

const Extension loopscope::runtime::HistoryExtension = {
    .Name = "history",
    .Words = {},
    .Start = start,
    .NewCallPath = follow,
    .NewSteps = followSteps,
    .BackgroundStarted = begin,
    .TimedAt = dueAt,
    .Timed = lookWhenDue,
    .DeviceRead = noteReading,
    .ChildOfFork = reset,
};

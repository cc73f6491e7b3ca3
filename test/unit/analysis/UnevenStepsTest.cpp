// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rare steps and first steps, from loops whose durations are known.

#include "Analysis/Account/UnevenSteps.h"
#include "Milliseconds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace loopscope;

namespace {
// The duration that stands for \p Ns in a histogram.
int64_t shown(int64_t Ns) {
  return std::llround(bucketTicks(bucketOf(static_cast<uint64_t>(Ns))));
}

// The first duration of a histogram that is at least \p Times the shown \p Ns.
int64_t firstAtLeast(int64_t Times, int64_t Ns) {
  unsigned Index = bucketOf(static_cast<uint64_t>(Ns));
  while (std::llround(bucketTicks(Index)) < Times * shown(Ns))
    ++Index;
  return std::llround(bucketTicks(Index));
}

// The longest that is less.
int64_t lastBelow(int64_t Times, int64_t Ns) {
  auto First = static_cast<uint64_t>(firstAtLeast(Times, Ns));
  return std::llround(bucketTicks(bucketOf(First) - 1));
}

// A loop whose steps take DURATIONS, ns, each of which a histogram shows as it
// is.
LoopAccount loopOf(const std::vector<int64_t> &Durations) {
  LoopAccount Of;
  std::map<int64_t, uint64_t> Counts;
  for (int64_t Ns : Durations) {
    ++Counts[Ns];
    Of.StepNs += Ns;
  }
  Of.Steps = Durations.size();
  Of.Spans =
      Moments::fromSums(Of.Steps, static_cast<uint64_t>(Of.StepNs), 0, 0, 1);
  std::vector<Bucket> Buckets;
  for (auto [Ns, Count] : Counts)
    Buckets.emplace_back(bucketOf(static_cast<uint64_t>(Ns)), Count);
  Of.Spans.setDistribution(static_cast<double>(Counts.begin()->first),
                           static_cast<double>(Counts.rbegin()->first),
                           std::move(Buckets));
  return Of;
}

std::vector<int64_t> steps(size_t Usual, size_t Slow, int64_t SlowNs) {
  std::vector<int64_t> All(Usual, shown(10 * Ms));
  All.insert(All.end(), Slow, shown(SlowNs));
  return All;
}
} // namespace

TEST(UnevenSteps, RareStepsHaveMostOfTheTime) {
  RareSteps Found = rareStepsOf(loopOf(steps(98, 2, 3000 * Ms)));
  EXPECT_EQ(Found.Steps, 2U);
  EXPECT_NEAR(Found.Ns, 2 * shown(3000 * Ms), 2);
  EXPECT_NEAR(Found.MedianNs, shown(10 * Ms), 1);
}

TEST(UnevenSteps, EachLimit) {
  // Ten times the median, or just less.
  int64_t Ten = firstAtLeast(10, 10 * Ms);
  EXPECT_EQ(rareStepsOf(loopOf(steps(95, 5, Ten))).Steps, 5U);
  EXPECT_EQ(rareStepsOf(loopOf(steps(95, 5, lastBelow(10, 10 * Ms)))).Steps,
            0U);
  // A twentieth of the steps, or more.
  EXPECT_EQ(rareStepsOf(loopOf(steps(94, 6, Ten))).Steps, 0U);
  // A fifth of the time, or just less: of 4 times the slow one's and a bit.
  auto Usual = static_cast<size_t>(4 * Ten / shown(10 * Ms));
  EXPECT_EQ(rareStepsOf(loopOf(steps(Usual, 1, Ten))).Steps, 1U);
  EXPECT_EQ(rareStepsOf(loopOf(steps(Usual + 1, 1, Ten))).Steps, 0U);
}

TEST(UnevenSteps, ALoopInsideExplainsThem) {
  LoopAccount Of = loopOf(steps(98, 2, 3000 * Ms));
  Of.NestedNs = 1;
  EXPECT_EQ(rareStepsOf(Of).Steps, 0U);
  EXPECT_EQ(rareStepsOf(LoopAccount()).Steps, 0U);
}

// Against what sorting says of random steps.
TEST(UnevenSteps, RandomSteps) {
  std::mt19937 Random(7);
  size_t WithRare = 0;
  for (int Run = 0; Run < 300; ++Run) {
    std::vector<int64_t> Durations;
    size_t Count = 20 + Random() % 400;
    for (size_t I = 0; I < Count; ++I)
      Durations.push_back(shown((8 + Random() % 5) * Ms *
                                (Random() % 60 == 0 ? 1 + Random() % 60 : 1)));
    RareSteps Found = rareStepsOf(loopOf(Durations));
    std::vector<int64_t> Sorted = Durations;
    std::sort(Sorted.begin(), Sorted.end());
    int64_t Median = Sorted[(Count + 1) / 2 - 1], Sum = 0, All = 0;
    uint64_t Slow = 0;
    for (int64_t Each : Durations) {
      All += Each;
      if (Each >= 10 * Median) {
        ++Slow;
        Sum += Each;
      }
    }
    if (Slow == 0 || Slow * 20 > Count || Sum * 5 < All) {
      EXPECT_EQ(Found.Steps, 0U);
      continue;
    }
    ++WithRare;
    EXPECT_EQ(Found.Steps, Slow);
    EXPECT_NEAR(Found.Ns, Sum, Slow);
    EXPECT_NEAR(Found.MedianNs, Median, 1);
  }
  EXPECT_GT(WithRare, 20U);
}

TEST(UnevenSteps, Sentences) {
  Account All;
  All.Loops = {loopOf(steps(98, 2, 3000 * Ms))};
  loopscope::Run R;
  EXPECT_EQ(unevenStepsNotes(R, All),
            std::vector<std::string>(
                {"2 of 100 steps took at least 10 times the median of 9.93 ms: "
                 "about 6.16 s of 7.14 s together."}));
  // The first steps explain them.
  LoopAccount &Of = All.Loops.front();
  Of.Parts = {{AccountUse::Draw, "draw", None, 6500 * Ms, {}}};
  Of.FirstSteps = 2;
  Of.FirstNs = 6000 * Ms;
  Of.FirstDrawNs = 5990 * Ms;
  EXPECT_EQ(unevenStepsNotes(R, All),
            std::vector<std::string>(
                {"5.99 s of 6.50 s of waiting for data is in the first steps "
                 "of 2 executions; in the other steps it is 44.9% of the "
                 "time."}));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rare steps and first steps, from loops whose durations are known.

#include "Analysis/Account/UnevenSteps.h"
#include "Milliseconds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace loopscope;

namespace {
// A loop whose steps take DURATIONS, ns, each with a bucket of its own.
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
    Buckets.push_back({static_cast<double>(Ns), Count});
  Of.Spans.setDistribution(Buckets.front().Ns, Buckets.back().Ns, Buckets);
  return Of;
}

std::vector<int64_t> steps(size_t Usual, size_t Slow, int64_t SlowNs) {
  std::vector<int64_t> All(Usual, 10 * Ms);
  All.insert(All.end(), Slow, SlowNs);
  return All;
}
} // namespace

TEST(UnevenSteps, RareStepsHaveMostOfTheTime) {
  RareSteps Found = rareStepsOf(loopOf(steps(98, 2, 3000 * Ms)));
  EXPECT_EQ(Found.Steps, 2U);
  EXPECT_EQ(Found.Ns, 6000 * Ms);
  EXPECT_EQ(Found.MedianNs, 10 * Ms);
}

TEST(UnevenSteps, EachLimit) {
  // Ten times the median, or just less.
  EXPECT_EQ(rareStepsOf(loopOf(steps(95, 5, 100 * Ms))).Steps, 5U);
  EXPECT_EQ(rareStepsOf(loopOf(steps(95, 5, 100 * Ms - 1))).Steps, 0U);
  // A twentieth of the steps, or more.
  EXPECT_EQ(rareStepsOf(loopOf(steps(94, 6, 100 * Ms))).Steps, 0U);
  // A fifth of the time, or just less.
  EXPECT_EQ(rareStepsOf(loopOf(steps(40, 1, 100 * Ms))).Steps, 1U);
  EXPECT_EQ(rareStepsOf(loopOf(steps(41, 1, 100 * Ms))).Steps, 0U);
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
      Durations.push_back((8 + Random() % 5) * Ms *
                          (Random() % 60 == 0 ? 1 + Random() % 60 : 1));
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
    EXPECT_EQ(Found.Ns, Sum);
    EXPECT_EQ(Found.MedianNs, Median);
  }
  EXPECT_GT(WithRare, 20U);
}

TEST(UnevenSteps, Sentences) {
  Account All;
  All.Loops = {loopOf(steps(98, 2, 3000 * Ms))};
  loopscope::Run P;
  EXPECT_EQ(unevenStepsNotes(P, All),
            std::vector<std::string>(
                {"2 of 100 steps took at least 10 times the median of 10.0 ms: "
                 "about 6.00 s of 6.98 s together."}));
  // The first steps explain them.
  LoopAccount &Of = All.Loops.front();
  Of.Parts = {{AccountUse::Draw, "draw", None, 6500 * Ms, {}}};
  Of.FirstSteps = 2;
  Of.FirstNs = 6000 * Ms;
  Of.FirstDrawNs = 5990 * Ms;
  EXPECT_EQ(unevenStepsNotes(P, All),
            std::vector<std::string>(
                {"5.99 s of 6.50 s of waiting for data is in the first steps "
                 "of 2 executions; in the other steps it is 52.0% of the "
                 "time."}));
}

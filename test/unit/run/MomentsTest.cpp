// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deviation and percentiles, compared with direct computation on random
// durations.

#include "Run/Model/Moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <vector>

using namespace loopscope;

namespace {
__extension__ typedef unsigned __int128 Wide;

Moments momentsOf(const std::vector<uint64_t> &Ticks) {
  uint64_t Sum = 0;
  Wide Squares = 0;
  std::map<unsigned, uint64_t> Counts;
  for (uint64_t Each : Ticks) {
    Sum += Each;
    Squares += static_cast<Wide>(Each) * Each;
    ++Counts[bucketOf(Each)];
  }
  Moments Result =
      Moments::fromSums(Ticks.size(), Sum, static_cast<uint64_t>(Squares),
                        static_cast<uint64_t>(Squares >> 64), 1);
  std::vector<Bucket> Buckets;
  for (auto [Index, Count] : Counts)
    Buckets.emplace_back(Index, Count);
  auto [Least, Most] = std::minmax_element(Ticks.begin(), Ticks.end());
  Result.setDistribution(static_cast<double>(*Least),
                         static_cast<double>(*Most), std::move(Buckets));
  return Result;
}

double directDeviation(const std::vector<uint64_t> &Ticks) {
  long double Mean = 0, Squares = 0;
  for (uint64_t Each : Ticks)
    Mean += static_cast<long double>(Each) / Ticks.size();
  for (uint64_t Each : Ticks)
    Squares += (Each - Mean) * (Each - Mean) / Ticks.size();
  return static_cast<double>(std::sqrt(Squares));
}
} // namespace

TEST(Moments, NoCancellationInLongDurations) {
  // Three days, give or take a nanosecond.
  constexpr uint64_t Days = 259'200'000'000'000;
  Moments M = momentsOf({Days - 1, Days, Days + 1});
  EXPECT_NEAR(M.deviationNs(), std::sqrt(2.0 / 3), 1e-9);
  EXPECT_DOUBLE_EQ(M.meanNs(), static_cast<double>(Days));
}

TEST(Moments, DeviationOfEqualDurationsIsZero) {
  EXPECT_EQ(momentsOf(std::vector<uint64_t>(1000, 123456789)).deviationNs(), 0);
}

TEST(Moments, ImpossibleSumsGiveZero) {
  EXPECT_EQ(Moments::fromSums(2, 10, 1, 0, 1).deviationNs(), 0);
}

TEST(Moments, AgreesWithDirectComputation) {
  std::mt19937_64 Random(1);
  for (int Round = 0; Round < 50; ++Round) {
    std::lognormal_distribution<double> Durations(10, 2);
    std::vector<uint64_t> Ticks(1 + Random() % 500);
    for (uint64_t &Each : Ticks)
      Each = static_cast<uint64_t>(Durations(Random));
    Moments M = momentsOf(Ticks);
    double Expected = directDeviation(Ticks);
    EXPECT_NEAR(M.deviationNs(), Expected, 1e-9 * (1 + Expected));
    std::sort(Ticks.begin(), Ticks.end());
    for (double Fraction : {0.5, 0.95, 0.99}) {
      auto Rank = static_cast<size_t>(
          std::ceil(Fraction * static_cast<double>(Ticks.size())));
      auto Exact = static_cast<double>(Ticks[Rank - 1]);
      EXPECT_NEAR(M.percentileNs(Fraction), Exact, Exact / 17 + 0.5);
    }
  }
}

TEST(Moments, MergingEqualsCountingTogether) {
  std::vector<uint64_t> A = {1, 5, 9, 1000}, B = {70000, 3, 3};
  std::vector<uint64_t> Both = A;
  Both.insert(Both.end(), B.begin(), B.end());
  Moments M = momentsOf(A);
  M.merge(momentsOf(B));
  EXPECT_EQ(M.count(), 7u);
  EXPECT_EQ(M.minNs(), 1);
  EXPECT_EQ(M.maxNs(), 70000);
  EXPECT_NEAR(M.deviationNs(), directDeviation(Both), 1e-6);
  EXPECT_EQ(M.percentileNs(0.5), momentsOf(Both).percentileNs(0.5));
}

TEST(Moments, MergingIntoNothing) {
  Moments M;
  M.merge(momentsOf({4, 6}));
  EXPECT_EQ(M.meanNs(), 5);
  M.merge(Moments());
  EXPECT_EQ(M.count(), 2u);
}

TEST(Buckets, RepresentativeIsWithinOneSeventeenth) {
  for (uint64_t Ticks = 1; Ticks < (uint64_t(1) << 62);
       Ticks += Ticks / 37 + 1) {
    auto Exact = static_cast<double>(Ticks);
    EXPECT_LE(std::abs(bucketTicks(bucketOf(Ticks)) - Exact),
              Exact / 17 * (1 + 1e-12));
  }
  EXPECT_LT(bucketOf(UINT64_MAX), 480u);
}

namespace {
uint64_t spansIn(const std::vector<Bucket> &Of) {
  uint64_t Sum = 0;
  for (const Bucket &Each : Of)
    Sum += Each.Count;
  return Sum;
}
} // namespace

// A clock of one tick per nanosecond needs no conversion.
TEST(Moments, BucketsOfNanosecondsStay) {
  std::mt19937_64 Random(1);
  std::vector<uint64_t> Counts(480);
  for (uint64_t &Each : Counts)
    Each = Random() % 3;
  std::vector<Bucket> Found = bucketsInNs(Counts, 1);
  size_t At = 0;
  for (unsigned I = 0; I < Counts.size(); ++I)
    if (Counts[I] != 0) {
      ASSERT_LT(At, Found.size());
      EXPECT_EQ(Found[At].Index, I);
      EXPECT_EQ(Found[At++].Count, Counts[I]);
    }
  EXPECT_EQ(At, Found.size());
}

// No span is lost, each stays within its neighbouring buckets, and durations of
// clocks that differ by parts per million fall into the same ones.
TEST(Moments, BucketsOfAllClocksHaveTheSameEdges) {
  std::mt19937_64 Random(2);
  Moments Merged;
  for (int Rank = 0; Rank < 500; ++Rank) {
    double NsPerTick =
        0.3571 * (1 + 1e-9 * static_cast<double>(Random() % 5000));
    std::vector<uint64_t> Counts(480);
    uint64_t Spans = 0;
    for (unsigned I = 100; I < 127; ++I)
      Spans += Counts[I] = Random() % 1000;
    std::vector<Bucket> Found = bucketsInNs(Counts, NsPerTick);
    ASSERT_EQ(spansIn(Found), Spans);
    for (const Bucket &Each : Found) {
      EXPECT_GT(Each.ns(), bucketTicks(99) * NsPerTick);
      EXPECT_LT(Each.ns(), bucketTicks(128) * NsPerTick);
    }
    Moments Next = Moments::fromSums(Spans, Spans * 1000, 0, 0, NsPerTick);
    Next.setDistribution(0, 1e12, std::move(Found));
    Merged.merge(Next);
  }
  EXPECT_LE(Merged.distribution().size(), 30U);
}

// Percentiles move by at most a bucket, an eighth.
TEST(Moments, PercentilesOfConvertedBuckets) {
  std::mt19937_64 Random(3);
  for (double NsPerTick : {0.25, 0.3571, 0.4167, 10.0, 41.67}) {
    std::vector<uint64_t> Counts(480);
    for (int I = 0; I < 10000; ++I)
      ++Counts[bucketOf(1000 + Random() % 100000)];
    Moments InTicks = Moments::fromSums(10000, 10000, 0, 0, 1);
    Moments InNs = InTicks;
    InTicks.setDistribution(0, 1e12, bucketsInNs(Counts, 1));
    InNs.setDistribution(0, 1e12, bucketsInNs(Counts, NsPerTick));
    for (double Part : {0.05, 0.25, 0.5, 0.75, 0.95})
      EXPECT_NEAR(InNs.percentileNs(Part) /
                      (InTicks.percentileNs(Part) * NsPerTick),
                  1, 0.13);
  }
}

// Merged by twos, in any order, the buckets have the counts that adding each
// alone gives; counts of hostile files stay at the highest.
TEST(Moments, MergedBucketsAddUp) {
  std::mt19937_64 Random(4);
  for (int Case = 0; Case < 200; ++Case) {
    std::vector<uint64_t> Expected(480);
    Moments Merged;
    for (int Run = 0; Run < 5; ++Run) {
      std::vector<uint64_t> Counts(480);
      uint64_t Spans = 0;
      for (uint64_t I = 0, Many = Random() % 20; I < Many; ++I) {
        unsigned At = 200 + Random() % (Case % 2 == 0 ? 20 : 200);
        uint64_t Added = 1 + Random() % 100;
        Counts[At] += Added;
        Expected[At] += Added;
        Spans += Added;
      }
      Moments Next = Moments::fromSums(Spans, Spans, 0, 0, 1);
      Next.setDistribution(0, 1e12, bucketsInNs(Counts, 1));
      Merged.merge(Next);
    }
    std::vector<uint64_t> Found(480);
    for (const Bucket &Each : Merged.distribution())
      Found[Each.Index] = Each.Count;
    EXPECT_EQ(Found, Expected);
    EXPECT_TRUE(std::ranges::is_sorted(
        Merged.distribution(), {},
        [](const Bucket &Each) { return unsigned{Each.Index}; }));
  }
  EXPECT_EQ(Bucket(1, UINT64_MAX).Count, Bucket::MostSpans);
}

// Very long and very short durations.
TEST(Moments, ConvertedBucketsAtTheEnds) {
  for (double NsPerTick : {1e-6, 0.3, 3.0, 1e6}) {
    std::vector<uint64_t> Counts(480, 3);
    EXPECT_EQ(spansIn(bucketsInNs(Counts, NsPerTick)), 480U * 3);
  }
}

// What is around the buckets that have spans makes no difference.
TEST(Moments, PartsOfHistogramsAreTheWhole) {
  std::mt19937_64 Random(5);
  for (int Case = 0; Case < 2000; ++Case) {
    double NsPerTick = Case % 10 == 0 ? 1 : std::exp2(Random() % 40 / 2.0 - 10);
    unsigned First = Random() % 480, End = First + 1 + Random() % (480 - First);
    std::vector<uint64_t> Counts(480);
    for (unsigned I = First; I < End; ++I)
      Counts[I] = Random() % 4;
    std::vector<Bucket> Whole = bucketsInNs(Counts, NsPerTick);
    std::vector<Bucket> Part = bucketsInNs(
        std::span(Counts).subspan(First, End - First), NsPerTick, First);
    EXPECT_TRUE(
        std::ranges::equal(Whole, Part, [](const Bucket &A, const Bucket &B) {
          return A.Index == B.Index && A.Count == B.Count;
        }));
  }
}

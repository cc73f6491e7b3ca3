// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties: for any program, the tree has exactly the values of a slow
// reference, and the reader returns them with its documented accuracy.

#include "Random.h"
#include "Fixture.h"

#include "Run/Read/ProfileReader.h"

#include "profile/node_links.h"
#include "tree/schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace loopscope::runtime;

namespace {
__extension__ using Wide = unsigned __int128;

class RandomTest : public RuntimeTest, public testing::WithParamInterface<int> {
protected:
  RandomProgram Program{static_cast<unsigned>(GetParam()),
                        [](const std::string &Name, loopscope_kind Kind) {
                          return site(Name, Kind);
                        }};

  void SetUp() override {
    StepSchedule.WarmupSteps = RandomProgram::WarmupSteps;
    Program.run(300);
  }
};

// The bucket of a duration, by the format's definition.
unsigned bucketByDefinition(uint64_t Ticks) {
  if (Ticks < 8)
    return static_cast<unsigned>(Ticks);
  unsigned E = 0;
  while (Ticks >> (E + 1) != 0)
    ++E;
  return (E - 2) * 8 + static_cast<unsigned>((Ticks >> (E - 3)) & 7);
}

void compareSums(const Node &N, const std::vector<uint64_t> &Durations) {
  Wide Squares = 0;
  uint64_t Sum = 0;
  for (uint64_t Each : Durations) {
    Squares += static_cast<Wide>(Each) * Each;
    Sum += Each;
  }
  EXPECT_EQ(N.count, Durations.size());
  EXPECT_EQ(N.sum_ticks, Sum);
  EXPECT_TRUE((static_cast<Wide>(N.square_high) << 64 | N.square_low) ==
              Squares);
  if (Durations.empty())
    return;
  EXPECT_EQ(N.min_ticks, *std::min_element(Durations.begin(), Durations.end()));
  EXPECT_EQ(N.max_ticks, *std::max_element(Durations.begin(), Durations.end()));
  EXPECT_EQ(N.last_ticks, Durations.back());
}

void compareHistogram(Node &N, const std::vector<uint64_t> &Durations) {
  if (Durations.empty())
    return;
  std::vector<uint64_t> Buckets(LOOPSCOPE_HISTOGRAM_BUCKETS);
  for (size_t I = 0; I + 1 < Durations.size(); ++I)
    ++Buckets[bucketByDefinition(Durations[I])];
  for (unsigned I = 0; I < LOOPSCOPE_HISTOGRAM_BUCKETS; ++I)
    EXPECT_EQ(links(&N).Histogram->bucket[I], Buckets[I]) << "bucket " << I;
}

// If all steps have a number of samples, the flag says whether it's the same.
void compareSamplesOfSteps(const Node &N, const ReferenceNode &Expected) {
  const std::vector<uint64_t> &All = Expected.SamplesOfSteps;
  if (All.empty() || All.size() != Expected.Durations.size())
    return;
  bool AreEqual = std::all_of(All.begin(), All.end(),
                              [&](uint64_t Each) { return Each == All[0]; });
  EXPECT_EQ((N.flags & LOOPSCOPE_NODE_EQUAL_SAMPLES) != 0, AreEqual);
}

TEST_P(RandomTest, TheTreeIsTheReferences) {
  std::map<std::string, Node *> Found = nodes();
  for (const auto &[Path, Expected] : Program.expected().nodes()) {
    SCOPED_TRACE(Path);
    ASSERT_TRUE(Found.count(Path));
    Node &N = *Found[Path];
    compareSums(N, Expected.Durations);
    compareHistogram(N, Expected.Durations);
    EXPECT_EQ(N.uncounted_ticks, Expected.Uncounted);
    EXPECT_EQ(N.samples, Expected.Samples);
    EXPECT_EQ(N.open, 0U);
    EXPECT_EQ(N.sequence % 2, 0U);
    EXPECT_EQ(N.rate_count, Expected.Rates.size());
    compareSamplesOfSteps(N, Expected);
    double Rates =
        std::accumulate(Expected.Rates.begin(), Expected.Rates.end(), 0.0);
    EXPECT_NEAR(N.rate_sum, Rates, 1e-12 * Rates);
  }
  // Nodes for a kind of step that never occurred are empty.
  for (const auto &[Path, N] : Found)
    if (!Program.expected().nodes().count(Path)) {
      EXPECT_EQ(N->count, 0U) << Path;
    }
}

// By the nearest-rank method.
uint64_t percentile(std::vector<uint64_t> Durations, double P) {
  std::sort(Durations.begin(), Durations.end());
  auto Rank =
      static_cast<size_t>(std::ceil(P * static_cast<double>(Durations.size())));
  return Durations[Rank == 0 ? 0 : Rank - 1];
}

long double deviation(const std::vector<uint64_t> &Durations) {
  long double Mean = 0;
  for (uint64_t Each : Durations)
    Mean += static_cast<long double>(Each);
  Mean /= static_cast<long double>(Durations.size());
  long double Squares = 0;
  for (uint64_t Each : Durations) {
    long double Distance = static_cast<long double>(Each) - Mean;
    Squares += Distance * Distance;
  }
  return std::sqrt(Squares / static_cast<long double>(Durations.size()));
}

TEST_P(RandomTest, TheReaderGivesItBack) {
  auto Read = loopscope::readProfile(finish());
  ASSERT_TRUE(static_cast<bool>(Read));
  const loopscope::Run &R = *Read;
  EXPECT_EQ(R.Lost.BadRecords, 0U);
  EXPECT_EQ(R.Lost.TornNodes, 0U);
  size_t Seen = 0;
  for (const loopscope::Node &N : R.Nodes) {
    if (N.Parent == loopscope::None)
      continue;
    std::string Path = pathOf(R, N);
    SCOPED_TRACE(Path);
    auto Found = Program.expected().nodes().find(Path);
    if (Found == Program.expected().nodes().end())
      continue;
    ++Seen;
    const std::vector<uint64_t> &Durations = Found->second.Durations;
    EXPECT_EQ(N.Spans.count(), Durations.size());
    uint64_t Sum =
        std::accumulate(Durations.begin(), Durations.end(), uint64_t(0));
    EXPECT_EQ(N.InclusiveNs,
              static_cast<int64_t>(Sum + Found->second.Uncounted));
    int64_t Inside = 0;
    for (uint32_t Child : N.Children)
      Inside += R.Nodes[Child].InclusiveNs;
    EXPECT_EQ(N.SelfNs + N.ExcludedNs, N.InclusiveNs - Inside);
    int64_t Excluded = N.Kind == LOOPSCOPE_KIND_BATCH
                           ? static_cast<int64_t>(Found->second.Uncounted)
                           : 0;
    EXPECT_EQ(N.ExcludedNs, std::min(Excluded, N.InclusiveNs - Inside));
    if (Durations.empty())
      continue;
    auto Deviation = static_cast<double>(deviation(Durations));
    EXPECT_NEAR(N.Spans.deviationNs(), Deviation, 1e-9 * Deviation + 1e-9);
    for (double Part : {0.5, 0.95, 0.99}) {
      auto Exact = static_cast<double>(percentile(Durations, Part));
      EXPECT_NEAR(N.Spans.percentileNs(Part), Exact, Exact / 16) << Part;
    }
  }
  EXPECT_EQ(Seen, Program.expected().nodes().size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTest, testing::Range(0, 60));
} // namespace

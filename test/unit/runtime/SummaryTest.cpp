// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranks' whole copies a summary has, against sorting; and brief copies of
// programs of known sums and steps.

#include "Fixture.h"

#include "comm/own_steps.h"
#include "comm/summary.h"
#include "process/process.h"
#include "profile/profile_file.h"
#include "tree/schedule.h"

#include "Run/Read/ProfileReader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <span>
#include <vector>

using namespace loopscope::runtime;

namespace {
std::vector<uint32_t> chosen(const std::vector<RankTimes> &Of) {
  uint32_t Ranks[MostWhole];
  uint32_t Count =
      chooseWhole(Of.data(), static_cast<uint32_t>(Of.size()), Ranks);
  return {Ranks, Ranks + Count};
}

TEST(Summary, ChoosesTheFirstTheMedianTheWorstAndTheLongest) {
  constexpr int Cases = 300;
  constexpr size_t Worst = 4;
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  std::mt19937_64 Random(1);
  for (int Case = 0; Case < Cases; ++Case) {
    std::vector<RankTimes> Of(1 + Random() % 60);
    // Few different values make ties.
    uint64_t Values = Case % 3 == 0 ? 4 : uint64_t{1} << 40;
    for (RankTimes &Each : Of)
      Each = {Random() % Values, Random() % Values};
    std::vector<uint32_t> Found = chosen(Of);
    std::set<uint32_t> Once(Found.begin(), Found.end());
    ASSERT_EQ(Once.size(), Found.size());
    ASSERT_EQ(Found.size(), std::min<size_t>(Of.size(), MostWhole));
    ASSERT_TRUE(Once.contains(0));
    // No rank that was left out has more than the fewest of the chosen ones.
    for (auto Value : {&RankTimes::OwnNs, &RankTimes::LongestNs}) {
      std::vector<uint64_t> All, Taken;
      for (uint32_t R = 0; R < Of.size(); ++R) {
        All.push_back(Of[R].*Value);
        if (Once.contains(R))
          Taken.push_back(Of[R].*Value);
      }
      std::ranges::sort(All, std::greater());
      std::ranges::sort(Taken, std::greater());
      size_t Least = std::min(All.size(), Worst);
      All.resize(Least);
      Taken.resize(Least);
      ASSERT_EQ(All, Taken);
    }
    std::vector<uint64_t> Own;
    for (const RankTimes &Each : Of)
      Own.push_back(Each.OwnNs);
    std::ranges::sort(Own);
    uint64_t Median = Own[(Own.size() - 1) / 2];
    ASSERT_TRUE(std::ranges::any_of(
        Found, [&](uint32_t R) { return Of[R].OwnNs == Median; }));
  }
}

// A loop whose steps take 40 ticks in "wait" and 50 to 99, in a random order,
// in PHASES phases.
class BriefCopies : public RuntimeTest {
protected:
  BriefCopies() {
    StepSchedule.WarmupSteps = 0;
    wantOwnSteps();
    ensureProfile();
    Header->clock_kind = LOOPSCOPE_CLOCK_MONOTONIC;
    Header->start_ticks = 1000;
  }
  ~BriefCopies() override { resetOwnSteps(); }

  static void run(const std::string &Name, uint64_t Ticks,
                  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE) {
    loopscope_token T = loopscope_enter(site(Name, Kind));
    advance(Ticks);
    loopscope_leave(T);
  }
  void train(uint64_t Steps, unsigned Phases) {
    constexpr uint64_t Spread = 50;
    loopscope_token Loop =
        loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
    for (uint64_t I = 0; I < Steps; ++I) {
      loopscope_token Step = loopscope_step_begin(Loop);
      for (unsigned P = 0; P < Phases; ++P)
        run("p" + std::to_string(P), Spread + Random() % Spread);
      run("wait", 40, LOOPSCOPE_KIND_WAIT);
      loopscope_step_end(Step);
    }
    loopscope_leave(Loop);
  }
  // What a summary of RANKS ranks has of this one, whose base is of another
  // time.
  loopscope::Run brief(uint64_t Ranks, unsigned Phases, uint64_t &Size) {
    train(1000, Phases);
    ProfileCopy Base = makeBase(Ranks);
    train(100, Phases);
    ProfileCopy Small = packBriefly({Base.Bytes, Base.Size}, Ranks);
    loopscope_packed_profile Head;
    std::memcpy(&Head, Small.Bytes, sizeof(Head));
    Times = {Head.own_ns, Head.longest_ns};
    Size = Small.Size;
    Bytes.assign(Head.size / sizeof(uint64_t), 0);
    EXPECT_TRUE(loopscope::profile_pack::unpack(
        {Small.Bytes + sizeof(Head), Small.Size - sizeof(Head)},
        {Base.Bytes, Base.Size}, reinterpret_cast<char *>(Bytes.data()),
        Head.size));
    Base.release();
    Small.release();
    auto Result =
        loopscope::readProfile(std::as_bytes(std::span(Bytes)), "brief");
    EXPECT_TRUE(Result);
    return std::move(*Result);
  }

  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  std::mt19937_64 Random{1};
  std::vector<uint64_t> Bytes;
  RankTimes Times = {};
};

TEST_F(BriefCopies, HaveTheSumsOfAllCallPathsAndFewSteps) {
  uint64_t Size = 0;
  loopscope::Run Brief = brief(16384, 5, Size);
  EXPECT_LE(Size, LOOPSCOPE_SUMMARY_BYTES / 16384);
  loopscope::Run Whole = *loopscope::readProfile(finish());
  ASSERT_EQ(Brief.Nodes.size(), Whole.Nodes.size());
  for (size_t I = 0; I < Whole.Nodes.size(); ++I) {
    EXPECT_EQ(Brief.Nodes[I].Spans.count(), Whole.Nodes[I].Spans.count());
    EXPECT_EQ(Brief.Nodes[I].InclusiveNs, Whole.Nodes[I].InclusiveNs);
    EXPECT_EQ(Brief.Nodes[I].Spans.percentileNs(0.5),
              Whole.Nodes[I].Spans.percentileNs(0.5));
  }
  EXPECT_GT(Brief.OwnSteps.size(), 12u);
  EXPECT_LE(Brief.OwnSteps.size(), 24u + LOOPSCOPE_LONG_STEPS);
  std::vector<uint64_t> Own;
  for (const loopscope::OwnStep &Each : Brief.OwnSteps) {
    auto Same = std::ranges::find_if(Whole.OwnSteps, [&](const auto &Other) {
      return Other.Number == Each.Number && Other.Steps == Each.Steps;
    });
    ASSERT_NE(Same, Whole.OwnSteps.end());
    EXPECT_EQ(Same->OwnNs, Each.OwnNs);
    EXPECT_EQ(Same->Phases.size(), Each.Phases.size());
    if (Each.Steps == 1)
      Own.push_back(static_cast<uint64_t>(Each.OwnNs));
  }
  EXPECT_EQ(Times.LongestNs, *std::ranges::max_element(Own));
  EXPECT_GE(Times.OwnNs, *std::ranges::min_element(Own));
  EXPECT_LE(Times.OwnNs, Times.LongestNs);
}

TEST_F(BriefCopies, TakeMoreStepsWhereThereIsRoom) {
  uint64_t Few = 0, Many = 0;
  size_t Least = brief(16384, 5, Few).OwnSteps.size();
  size_t Most = brief(16, 5, Many).OwnSteps.size();
  EXPECT_GT(Most, 2 * Least);
  EXPECT_LE(Many, 16384u);
  EXPECT_GT(Many, Few);
}

TEST_F(BriefCopies, TakeAFewBytesForEachCallPath) {
  constexpr unsigned Phases = 300;
  uint64_t Few = 0, Many = 0;
  brief(16384, 5, Few);
  brief(16384, Phases, Many);
  EXPECT_LT(Many, Few + Phases * 60);
}

TEST(Summary, IsWhatManyRanksGetByDefault) {
  EXPECT_FALSE(isSummary(MergedRanks::Auto, 256));
  EXPECT_TRUE(isSummary(MergedRanks::Auto, 257));
  EXPECT_TRUE(isSummary(MergedRanks::Summary, 2));
  EXPECT_FALSE(isSummary(MergedRanks::All, 16384));
}
} // namespace

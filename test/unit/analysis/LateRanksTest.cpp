// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences about single long steps claim no more than the ranks' records show.

#include "Analysis/Ranks/LateRanks.h"
#include "Milliseconds.h"
#include "Support/Numbers.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
// Four ranks with 20 steps of 10 ms, half of them own time. RECORDED have step
// 100 on record as the last of 4; it takes rank 1 a second and others no longer
// than usual.
std::string sentence(const std::vector<size_t> &Recorded) {
  constexpr size_t Ranks = 4;
  std::vector<Run> All(Ranks);
  std::vector<Stages> Found(Ranks);
  StageRanks To;
  for (size_t R = 0; R < Ranks; ++R) {
    for (uint64_t Step = 0; Step < 20; ++Step)
      All[R].OwnSteps.push_back({0, Step, 1, 10 * Ms, 5 * Ms, {}});
    Found[R].Of = {LOOPSCOPE_KIND_FIT};
    RankRow Row;
    Row.Process = "rank " + std::to_string(R);
    Row.Rank = static_cast<int64_t>(R);
    Row.ElapsedNs = NsPerSecond;
    To.Rows.push_back(Row);
  }
  for (size_t R : Recorded)
    All[R].OwnSteps.push_back(
        {0, 100, 4, NsPerSecond, R == 1 ? NsPerSecond + 20 * Ms : 20 * Ms, {}});
  findLateRanks(All, Found, LOOPSCOPE_KIND_FIT, To);
  return stragglerSentence(To);
}
} // namespace

TEST(LateRanks, HalfOfTheRanksAreKnownToBeAsUsual) {
  const char *Sentence =
      "Rank 1 took 1.00 s longer than usual in step 100, and at least half of "
      "the ranks didn't: no single phase explains it.";
  EXPECT_EQ(sentence({0, 1, 2, 3}), Sentence);
  EXPECT_EQ(sentence({0, 1, 2}), Sentence);
}

// Only a quarter is: of the other two ranks, nothing is known.
TEST(LateRanks, HalfOfTheRanksHaveNoRecord) {
  EXPECT_EQ(sentence({1, 2}), "Rank 1 took 1.00 s longer than usual in step "
                              "100: no single phase explains it.");
}

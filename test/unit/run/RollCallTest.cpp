// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of several runs: which belong together, and which contradict each
// other.

#include "Run/Combine/RollCall.h"
#include "Support/Numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace loopscope;

namespace {
RunInfo rank(int64_t Index, int64_t World, std::string Id, int64_t StartS,
             int64_t WallS = 10) {
  RunInfo Of;
  Of.Rank = Index;
  Of.WorldSize = World;
  Of.RunId = std::move(Id);
  Of.Path = "r" + std::to_string(Index) + "." + std::to_string(StartS);
  Of.StartRealtimeNs = StartS * NsPerSecond;
  Of.WallNs = WallS * NsPerSecond;
  return Of;
}

RollCall call(const std::vector<RunInfo> &All) {
  std::vector<const RunInfo *> Infos;
  for (const RunInfo &Each : All)
    Infos.push_back(&Each);
  return callRoll(Infos);
}
} // namespace

TEST(RollCall, OneRunByRank) {
  RollCall Found = call({rank(1, 2, "a", 100), rank(0, 2, "a", 101)});
  ASSERT_EQ(Found.Runs.size(), 1U);
  EXPECT_EQ(Found.Runs[0].Files, (std::vector<size_t>{1, 0}));
  EXPECT_TRUE(Found.Runs[0].Notes.empty());
  EXPECT_TRUE(Found.Runs[0].Doubtful.empty());
}

TEST(RollCall, AReusedIdIsAnotherRun) {
  RollCall Found = call({rank(0, 2, "a", 100), rank(1, 2, "a", 100),
                         rank(0, 2, "a", 200), rank(1, 2, "a", 201)});
  ASSERT_EQ(Found.Runs.size(), 2U);
  EXPECT_EQ(Found.Runs[0].Files, (std::vector<size_t>{2, 3}));
  EXPECT_EQ(Found.Runs[1].Files, (std::vector<size_t>{0, 1}));
}

TEST(RollCall, TheSameRankAtTheSameTimeIsDoubtful) {
  std::vector<RunInfo> All = {rank(0, 2, "a", 100), rank(0, 2, "a", 101)};
  All[0].RankSource = All[1].RankSource = "RANK";
  RollCall Found = call(All);
  ASSERT_EQ(Found.Runs.size(), 1U);
  EXPECT_EQ(Found.Runs[0].Doubtful.size(), 2U);
  ASSERT_EQ(Found.Runs[0].Notes.size(), 2U);
  EXPECT_EQ(Found.Runs[0].Notes[0],
            "2 processes claim to be rank 0: r0.100, r0.101; the variable RANK "
            "says so. Their files tell them apart.");
  EXPECT_EQ(Found.Runs[0].Notes[1], "1 rank of 2 is missing: 1.");
}

TEST(RollCall, ARankBeyondTheSize) {
  RollCall Found = call({rank(5, 2, "a", 100)});
  ASSERT_EQ(Found.Runs.size(), 1U);
  EXPECT_EQ(Found.Runs[0].Notes[0],
            "r5.100 claims to be rank 5 of 2, which is impossible.");
  EXPECT_EQ(Found.Runs[0].Doubtful, std::vector<size_t>{0});
}

TEST(RollCall, DifferentSizesAreNoted) {
  RollCall Found = call({rank(0, 2, "a", 100), rank(1, 4, "a", 100)});
  ASSERT_EQ(Found.Runs.size(), 1U);
  EXPECT_EQ(Found.Runs[0].Notes,
            std::vector<std::string>{
                "The ranks disagree on how many there are: 2, 4."});
}

TEST(RollCall, ForkedChildrenAreNotRanks) {
  std::vector<RunInfo> All = {rank(0, 1, "a", 100), rank(0, 1, "a", 101)};
  All[1].Forked = true;
  RollCall Found = call(All);
  EXPECT_EQ(Found.Forked, std::vector<size_t>{1});
  ASSERT_EQ(Found.Runs.size(), 1U);
  EXPECT_TRUE(Found.Runs[0].Notes.empty());
}

TEST(RollCall, HostsOfARunWithoutAName) {
  RollCall Found =
      call({rank(0, 3, "parent 5.1@a", 100), rank(2, 3, "parent 9.4@b", 103),
            rank(1, 3, "parent 5.1@a", 101), rank(0, 3, "parent 6.2@a", 200),
            rank(1, 3, "parent 7.5@b", 201), rank(0, 3, "job", 204)});
  ASSERT_EQ(Found.Runs.size(), 3U);
  EXPECT_EQ(Found.Runs[1].Files, (std::vector<size_t>{3, 4}));
  EXPECT_EQ(Found.Runs[1].Notes,
            (std::vector<std::string>{
                "No launcher named this run; 2 processes are taken together "
                "because they ran at the same time and each rank appears once.",
                "1 rank of 3 is missing: 2."}));
  EXPECT_EQ(Found.Runs[2].Files, (std::vector<size_t>{0, 2, 1}));
}

// The third host started while the first one ran, after the second had ended.
TEST(RollCall, AHostMayEndBeforeAnotherStarts) {
  RollCall Found = call({rank(0, 3, "parent 5.1@a", 100, 50),
                         rank(1, 3, "parent 9.4@b", 101, 5),
                         rank(2, 3, "parent 7.2@c", 120, 5)});
  ASSERT_EQ(Found.Runs.size(), 1U);
  EXPECT_EQ(Found.Runs[0].Files, (std::vector<size_t>{0, 1, 2}));
}

TEST(RollCall, HostsOfPossiblyTwoRunsStaySeparate) {
  RollCall Found =
      call({rank(0, 2, "parent 5.1@a", 100), rank(1, 2, "parent 9.4@b", 100),
            rank(0, 2, "parent 6.1@c", 100), rank(1, 2, "parent 7.4@d", 100)});
  EXPECT_EQ(Found.Runs.size(), 4U);
  // With different sizes, too.
  Found =
      call({rank(0, 2, "parent 5.1@a", 100), rank(1, 3, "parent 9@b", 100)});
  EXPECT_EQ(Found.Runs.size(), 2U);
}

TEST(RollCall, Ranges) {
  EXPECT_EQ(rangesText({}), "");
  EXPECT_EQ(rangesText({3}), "3");
  EXPECT_EQ(rangesText({4, 3}), "3, 4");
  EXPECT_EQ(rangesText({2, 0, 1, 7, 1}), "0 to 2, 7");
  EXPECT_EQ(rangesText({0, 2, 4, 6, 8, 10, 12, 14, 16, 18}),
            "0, 2, 4, 6, 8, 10, 12, 14 and 2 more");
}

// Runs with known members: these must be found in any order of the files, and
// exactly the excluded ranks must be missing.
TEST(RollCall, RandomRunsAreFoundAgain) {
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    std::mt19937 Random(Seed);
    auto upTo = [&](int Limit) {
      return static_cast<int64_t>(Random() % static_cast<unsigned>(Limit));
    };
    std::vector<RunInfo> All;
    std::vector<size_t> RunOf;
    std::vector<std::set<int64_t>> Missing;
    int64_t StartS = 1000;
    int64_t Runs = 1 + upTo(4);
    for (int64_t R = 0; R < Runs; ++R) {
      int64_t World = 1 + upTo(9);
      Missing.emplace_back();
      bool Any = false;
      // One launcher may start several runs in succession.
      std::string Id = upTo(2) != 0 ? "same" : "run " + std::to_string(R);
      // Or nothing names the run, and each host has a launching process of its
      // own.
      int64_t Hosts = upTo(3);
      for (int64_t I = 0; I < World; ++I) {
        // Rank 0 is always present: it shows where a run with the same id ends.
        if (I > 0 && upTo(5) == 0) {
          Missing.back().insert(I);
          continue;
        }
        Any = true;
        // Ranks start within two seconds, rank 0 first.
        if (Hosts > 0)
          Id = "parent " + std::to_string(R) + ".1@" +
               std::to_string(upTo(static_cast<int>(Hosts)));
        All.push_back(rank(I, World, Id, StartS + (I == 0 ? 0 : upTo(3)), 20));
        RunOf.push_back(static_cast<size_t>(R));
      }
      ASSERT_TRUE(Any);
      StartS += 100;
    }
    std::vector<size_t> Order(All.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    std::shuffle(Order.begin(), Order.end(), Random);
    std::vector<const RunInfo *> Infos;
    for (size_t Each : Order)
      Infos.push_back(&All[Each]);
    RollCall Found = callRoll(Infos);
    ASSERT_EQ(Found.Runs.size(), static_cast<size_t>(Runs)) << "seed " << Seed;
    for (size_t R = 0; R < Found.Runs.size(); ++R) {
      size_t Truth = Missing.size() - 1 - R; // newest first
      for (size_t File : Found.Runs[R].Files)
        EXPECT_EQ(RunOf[Order[File]], Truth) << "seed " << Seed;
      std::vector<std::string> Notes = Found.Runs[R].Notes;
      std::erase_if(Notes, [](const std::string &Each) {
        return Each.starts_with("No launcher");
      });
      EXPECT_EQ(Notes.size(), Missing[Truth].empty() ? 0U : 1U)
          << "seed " << Seed;
      EXPECT_TRUE(Found.Runs[R].Doubtful.empty());
    }
  }
}

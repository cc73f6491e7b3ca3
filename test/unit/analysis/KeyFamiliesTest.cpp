// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of phases, summed up over random trees and timelines, compared with
// what a loop over all nodes and all spans finds for each key.

#include "Analysis/Tree/KeyFamilies.h"
#include "Analysis/Steps/KeyTimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace loopscope;

namespace {
Run randomRun(std::mt19937 &Random) {
  Run R;
  for (int64_t Value : {-3, 0, 7, 12, 900})
    R.Keys.push_back(
        {"layer", LOOPSCOPE_KEY_SIGNED, static_cast<uint64_t>(Value), ""});
  std::ranges::shuffle(R.Keys, Random);
  R.Sites.resize(3);
  R.Timeline.resize(2);
  for (uint32_t I = 0; I < 60; ++I) {
    Node N;
    N.Parent = I == 0 ? None : static_cast<uint32_t>(Random() % I);
    N.Thread = I == 0 ? 0 : R.Nodes[N.Parent].Thread;
    N.Site = I == 0 ? None : static_cast<uint32_t>(Random() % 3);
    N.Warmup = Random() % 8 == 0;
    if (I != 0 && Random() % 4 != 0)
      N.Key = static_cast<uint32_t>(Random() % R.Keys.size());
    int64_t At = 0;
    for (auto Spans = Random() % 6; Spans != 0; --Spans) {
      auto Ns = static_cast<int64_t>(Random() % 100);
      auto Whole = static_cast<uint64_t>(Ns);
      N.InclusiveNs += Ns;
      N.Spans.merge(Moments::fromSums(1, Whole, Whole * Whole, 0, 1));
      At += static_cast<int64_t>(Random() % 300);
      R.Timeline[Random() % 2].push_back({I, Random() % 9 == 0, At, At + Ns});
    }
    R.Nodes.push_back(std::move(N));
  }
  return R;
}

bool isBelowWarmup(const Run &R, uint32_t I) {
  while (I != None && !R.Nodes[I].Warmup)
    I = R.Nodes[I].Parent;
  return I != None;
}
} // namespace

TEST(KeyFamilies, SumsAreThoseOfTheNodes) {
  for (unsigned Seed = 1; Seed <= 50; ++Seed) {
    std::mt19937 Random(Seed);
    loopscope::Run R = randomRun(Random);
    std::vector<uint32_t> GroupOf;
    for (size_t I = 0; I < R.Nodes.size(); ++I)
      GroupOf.push_back(Random() % 5 == 0 ? None : Random() % 4);
    std::vector<KeyFamily> Found = keyFamilies(R, GroupOf);
    size_t Nodes = 0;
    for (const KeyFamily &Family : Found) {
      for (size_t I = 1; I < Family.Keys.size(); ++I)
        EXPECT_LT(static_cast<int64_t>(R.Keys[Family.Keys[I - 1].Key].Value),
                  static_cast<int64_t>(R.Keys[Family.Keys[I].Key].Value));
      int64_t Whole = 0;
      for (const KeySums &Each : Family.Keys) {
        int64_t Ns = 0;
        uint64_t Spans = 0, Steady = 0;
        for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
          const Node &N = R.Nodes[I];
          if (N.Site == None || N.Key != Each.Key || GroupOf[I] != Family.Group)
            continue;
          ++Nodes;
          Ns += N.InclusiveNs;
          Spans += N.Spans.count();
          Steady += isBelowWarmup(R, I) ? 0 : N.Spans.count();
        }
        EXPECT_EQ(Each.InclusiveNs, Ns);
        EXPECT_EQ(Each.Spans.count(), Spans);
        EXPECT_EQ(Each.Steady.count(), Steady);
        Whole += Ns;
      }
      EXPECT_EQ(Family.inclusiveNs(), Whole);
    }
    size_t Wanted = 0;
    for (size_t I = 0; I < R.Nodes.size(); ++I)
      Wanted += R.Nodes[I].Key != None && GroupOf[I] != None;
    EXPECT_EQ(Nodes, Wanted);
  }
}

TEST(KeyFamilies, TimesAreThoseOfTheSpans) {
  for (unsigned Seed = 1; Seed <= 50; ++Seed) {
    std::mt19937 Random(Seed);
    loopscope::Run R = randomRun(Random);
    std::vector<KeyFamily> Families =
        keyFamilies(R, std::vector<uint32_t>(R.Nodes.size(), 0));
    ASSERT_EQ(Families.size(), 1U);
    CellGrid Grid = {100, 700, 7};
    std::vector<KeyTimes> Found = keyTimes(R, Families, Grid);
    ASSERT_EQ(Found.size(), 1U);
    ASSERT_EQ(Found[0].OfKey.size(), Families[0].Keys.size());
    uint64_t All = 0;
    for (size_t K = 0; K < Found[0].OfKey.size(); ++K)
      for (uint32_t Cell = 0; Cell < Grid.Count; ++Cell) {
        KeyTimeCell Truth = {Cell, 0, 0, 0};
        for (const std::vector<TimelineSpan> &Track : R.Timeline)
          for (const TimelineSpan &S : Track) {
            // The last cell has its end, too.
            bool IsHere = S.StartNs >= 100 && S.StartNs <= 700 &&
                          std::min<int64_t>((S.StartNs - 100) * 7 / 600, 6) ==
                              static_cast<int64_t>(Cell);
            if (!IsHere || S.Open ||
                R.Nodes[S.Node].Key != Families[0].Keys[K].Key)
              continue;
            ++Truth.Spans;
            Truth.Ns += S.EndNs - S.StartNs;
            Truth.LongestNs = std::max(Truth.LongestNs, S.EndNs - S.StartNs);
          }
        All += Truth.Spans;
        const std::vector<KeyTimeCell> &In = Found[0].OfKey[K];
        auto At = std::ranges::find(In, Cell, &KeyTimeCell::Cell);
        ASSERT_EQ(At != In.end(), Truth.Spans != 0);
        if (At == In.end())
          continue;
        EXPECT_EQ(At->Spans, Truth.Spans);
        EXPECT_EQ(At->Ns, Truth.Ns);
        EXPECT_EQ(At->LongestNs, Truth.LongestNs);
      }
    EXPECT_EQ(Found[0].spans(), All);
  }
}

TEST(KeyFamilies, CellsAreAllKeysOnce) {
  for (unsigned Seed = 1; Seed <= 200; ++Seed) {
    std::mt19937 Random(Seed);
    std::vector<std::optional<int64_t>> Values(Random() % 90);
    for (std::optional<int64_t> &Each : Values)
      if (Random() % 5 != 0)
        Each = static_cast<int64_t>(Random() % 50);
    size_t Most = 1 + Random() % 40;
    std::vector<KeyCell> Cells = keyCells(Values, Most);
    EXPECT_EQ(Cells.size(), std::min(Values.size(), Most));
    size_t Next = 0;
    for (const KeyCell &Each : Cells) {
      EXPECT_EQ(Each.First, Next);
      EXPECT_LE(Each.Count, Cells.front().Count + 1);
      EXPECT_GE(Each.Count + 1, Cells.front().Count);
      Next += Each.Count;
      ASSERT_GE(Each.Most, Each.First);
      ASSERT_LT(Each.Most, Next);
      for (size_t I = Each.First; I < Next; ++I)
        EXPECT_LE(Values[I], Values[Each.Most]);
    }
    EXPECT_EQ(Next, Values.size());
  }
}

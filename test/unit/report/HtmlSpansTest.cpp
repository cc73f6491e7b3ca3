// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of all spans, against a search through all of them.

#include "Report/Html/HtmlSpans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace loopscope;

namespace {
// Names of a span's path, the innermost first.
std::vector<uint32_t> namesOf(const std::vector<HtmlTimeline::Path> &Paths,
                              uint32_t Path) {
  std::vector<uint32_t> Names;
  for (; Path != None; Path = Paths[Path].Parent)
    Names.push_back(Paths[Path].Name);
  return Names;
}

// Nested spans of random lengths, some of them long and some empty.
std::vector<HtmlSpan> randomSpans(std::mt19937 &Random, size_t Count,
                                  size_t Paths) {
  std::vector<HtmlSpan> Spans;
  for (size_t I = 0; I < Count; ++I) {
    auto Start = static_cast<int64_t>(Random() % 10000);
    auto Length =
        static_cast<int64_t>(Random() % (Random() % 20 == 0 ? 9000 : 9));
    Spans.push_back(
        {{Start, Start + Length, static_cast<uint32_t>(Random() % Paths)}});
  }
  std::sort(Spans.begin(), Spans.end(), [](const auto &A, const auto &B) {
    return A.At.StartNs < B.At.StartNs;
  });
  return Spans;
}
} // namespace

TEST(HtmlSpans, WindowsHaveWhatRunsInThem) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  std::mt19937 Random(1);
  std::vector<HtmlTimeline::Path> Paths;
  std::vector<uint32_t> OnPage;
  for (uint32_t I = 0; I < 30; ++I) {
    Paths.push_back({I + 100, I == 0 ? None : uint32_t(Random() % I)});
    OnPage.push_back(I % 2 == 0 ? I / 2 : None);
  }
  HtmlSpans All;
  std::vector<std::vector<HtmlSpan>> Tracks;
  for (size_t Count : {5000U, 1U, 700U}) {
    Tracks.push_back(randomSpans(Random, Count, Paths.size()));
    All.add(static_cast<uint32_t>(2 * Tracks.size()), Paths, OnPage,
            spansInMemory(Tracks.back()));
  }
  EXPECT_EQ(All.size(), 5701U);
  EXPECT_EQ(All.held(), 5701U);
  size_t Cuts = 0;
  for (int Round = 0; Round < 500; ++Round) {
    auto From = static_cast<int64_t>(Random() % 10000);
    int64_t To = From + 1 + static_cast<int64_t>(Random() % 3000);
    size_t Most = Random() % 1500;
    HtmlSpanWindow Found = All.window(From, To, Most);
    // The spans of [From, UNTIL) by track.
    auto Expected = [&](size_t Track, int64_t Until) {
      std::vector<std::vector<int64_t>> Result;
      for (const HtmlSpan &S : Tracks[Track])
        if (S.At.StartNs < Until &&
            (S.At.StartNs >= From || S.At.EndNs > From)) {
          Result.push_back({S.At.StartNs, S.At.EndNs});
          for (uint32_t Name : namesOf(Paths, S.At.Path))
            Result.back().push_back(Name);
        }
      std::sort(Result.begin(), Result.end());
      return Result;
    };
    auto Count = [&](int64_t Until) {
      size_t Sum = 0;
      for (size_t I = 0; I < Tracks.size(); ++I)
        Sum += Expected(I, Until).size();
      return Sum;
    };
    EXPECT_EQ(Found.FromNs, From);
    EXPECT_EQ(Found.IsCut, Found.ToNs < To);
    Cuts += Found.IsCut;
    if (Found.IsCut) {
      EXPECT_GT(Count(Found.ToNs + 1), Most);
    }
    if (Found.ToNs == From) {
      EXPECT_TRUE(Found.Tracks.empty());
      continue;
    }
    EXPECT_LE(Count(Found.ToNs), Most);
    ASSERT_EQ(Found.Tracks.size(), Tracks.size());
    for (size_t I = 0; I < Tracks.size(); ++I) {
      const HtmlSpanWindow::Track &Part = Found.Tracks[I];
      EXPECT_EQ(Part.Index, 2 * (I + 1));
      std::vector<HtmlTimeline::Path> Own;
      for (const auto &[Number, Path] : Part.Paths) {
        EXPECT_EQ(Number, OnPage[Path.Name - 100]);
        EXPECT_TRUE(Path.Parent == None || Path.Parent < Own.size());
        Own.push_back(Path);
      }
      std::vector<std::vector<int64_t>> Got;
      int64_t Before = INT64_MIN;
      for (const HtmlSpan &S : Part.Spans.Spans) {
        EXPECT_LE(Before, S.At.StartNs);
        Before = S.At.StartNs;
        Got.push_back({S.At.StartNs, S.At.EndNs});
        for (uint32_t Name : namesOf(Own, S.At.Path))
          Got.back().push_back(Name);
      }
      std::sort(Got.begin(), Got.end());
      EXPECT_EQ(Got, Expected(I, Found.ToNs));
    }
  }
  EXPECT_GT(Cuts, 50U);
  EXPECT_LT(Cuts, 450U);
}

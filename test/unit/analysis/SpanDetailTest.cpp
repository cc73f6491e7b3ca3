// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines with too many spans: sums by cell and windows of single spans,
// compared with sums of random spans made one nanosecond at a time.

#include "Analysis/Steps/SpanWindows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

using namespace loopscope;

namespace {
struct RandomTrack {
  std::vector<TrackSpan> Spans;
  std::vector<uint32_t> Parents;
};

// Nested spans in [START, END) below PARENT, with gaps between them.
void addRandom(std::mt19937 &Random, uint32_t Parent, int64_t Start,
               int64_t End, unsigned Depth, RandomTrack &To) {
  std::vector<uint32_t> Paths;
  for (int I = 0; I < 3; ++I) {
    Paths.push_back(static_cast<uint32_t>(To.Parents.size()));
    To.Parents.push_back(Parent);
  }
  for (int64_t At = Start; At < End;) {
    int64_t From = At + static_cast<int64_t>(Random() % 5);
    int64_t Until =
        std::min(End, From + static_cast<int64_t>(Random() % (Depth * 40 + 2)));
    At = std::max(From, Until);
    if (From >= Until)
      continue;
    uint32_t Path = Paths[Random() % Paths.size()];
    To.Spans.push_back({From, Until, Path});
    if (Depth > 0 && Random() % 3 == 0)
      addRandom(Random, Path, From, Until, Depth - 1, To);
  }
}

// By path, the time of its spans.
std::vector<int64_t> nsOf(const RandomTrack &Track) {
  std::vector<int64_t> Ns(Track.Parents.size(), 0);
  for (const TrackSpan &S : Track.Spans)
    Ns[S.Path] += S.EndNs - S.StartNs;
  return Ns;
}

std::vector<std::vector<uint8_t>> cellsOf(const std::vector<TrackSpan> &Spans,
                                          const SpanColumns &Columns,
                                          const CellGrid &Grid) {
  SpanCells Cells(Columns, Grid);
  for (const TrackSpan &S : Spans)
    Cells.add(S);
  return Cells.finish();
}

// Where spans begin, found one by one.
class Starts : public SpanStarts {
public:
  explicit Starts(std::vector<TrackSpan> Spans) : Spans(std::move(Spans)) {}
  uint64_t size() const override { return Spans.size(); }
  int64_t startOf(uint64_t Index) const override {
    return Spans[Index].StartNs;
  }
  uint64_t firstAt(int64_t Ns) const override {
    uint64_t Index = 0;
    while (Index < Spans.size() && Spans[Index].StartNs < Ns)
      ++Index;
    return Index;
  }
  int64_t lastNs() const override {
    int64_t Last = INT64_MIN;
    for (const TrackSpan &S : Spans)
      Last = std::max(Last, S.EndNs);
    return Last;
  }

private:
  std::vector<TrackSpan> Spans;
};

// By column and nanosecond: whether the innermost span there is its own.
std::vector<std::vector<bool>>
truth(const RandomTrack &Of, const SpanColumns &Columns, int64_t Length) {
  std::vector<std::vector<bool>> Result(
      Columns.Paths.size(),
      std::vector<bool>(static_cast<size_t>(Length), false));
  for (const TrackSpan &S : Of.Spans)
    for (int64_t Ns = S.StartNs; Ns < S.EndNs; ++Ns)
      for (size_t C = 0; C < Result.size(); ++C)
        Result[C][static_cast<size_t>(Ns)] = C == Columns.Of[S.Path];
  return Result;
}
} // namespace

TEST(SpanDetail, CellsAddUpToTheSpans) {
  for (unsigned Seed = 1; Seed <= 20; ++Seed) {
    std::mt19937 Random(Seed);
    constexpr int64_t Length = 4000;
    RandomTrack Track;
    addRandom(Random, None, 0, Length, 3, Track);
    SpanColumns Columns = spanColumns(nsOf(Track), Track.Parents, 1 + Seed % 9);
    CellGrid Grid{0, Length, 64U << Seed % 3};
    std::vector<std::vector<uint8_t>> Cells =
        cellsOf(Track.Spans, Columns, Grid);
    std::vector<std::vector<bool>> True = truth(Track, Columns, Length);
    ASSERT_EQ(Cells.size(), True.size());
    for (size_t C = 0; C < Cells.size(); ++C) {
      ASSERT_EQ(Cells[C].size(), Grid.Count);
      double Units = 0;
      size_t Ns = 0;
      int64_t Busy = 0;
      for (size_t I = 0; I < Grid.Count; ++I) {
        Units += Cells[C][I];
        // The nanosecond that a cell's end cuts is in both.
        for (; static_cast<double>(Ns + 1) <=
               static_cast<double>(I + 1) * Grid.cellNs();
             ++Ns)
          Busy += True[C][Ns];
        EXPECT_NEAR(Units, static_cast<double>(Busy) / Grid.cellNs() * 255,
                    1 + 255 / Grid.cellNs())
            << "seed " << Seed << ", column " << C << ", cell " << I;
      }
    }
  }
}

TEST(SpanDetail, OverlapsAreTheLaterOnes) {
  SpanColumns Columns = {{0, 1}, {0, 1}};
  std::vector<std::vector<uint8_t>> Cells =
      cellsOf({{0, 60, 0}, {40, 100, 1}}, Columns, {0, 100, 10});
  EXPECT_EQ(Cells[0],
            (std::vector<uint8_t>{255, 255, 255, 255, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Cells[1],
            (std::vector<uint8_t>{0, 0, 0, 0, 255, 255, 255, 255, 255, 255}));
}

TEST(SpanDetail, ColumnsAreTheLongestPathsAndWhatIsAboveThem) {
  // 0 has 1 (longest) and 2; 3 and 4 are beside it.
  std::vector<int64_t> Spans = {50, 40, 5, 10, 1};
  SpanColumns All = spanColumns(Spans, {None, 0, 0, None, None}, 5);
  EXPECT_EQ(All.Paths, (std::vector<uint32_t>{0, 1, 3, 2, 4}));
  SpanColumns Some = spanColumns(Spans, {None, 0, 0, None, None}, 3);
  EXPECT_EQ(Some.Paths, (std::vector<uint32_t>{0, 1, None}));
  EXPECT_EQ(Some.Of, (std::vector<uint32_t>{0, 1, 0, 2, 2}));
  SpanColumns One = spanColumns(Spans, {None, 0, 0, None, None}, 1);
  EXPECT_EQ(One.Of, (std::vector<uint32_t>{0, 0, 0, 0, 0}));
}

TEST(SpanDetail, WindowsHaveAboutTheWantedNumber) {
  for (unsigned Seed = 1; Seed <= 20; ++Seed) {
    std::mt19937 Random(Seed);
    RandomTrack Track;
    addRandom(Random, None, 0, 40000, 3, Track);
    size_t Most = Track.Spans.size() / (1 + Seed % 5 * 3);
    std::vector<std::pair<int64_t, int64_t>> Windows =
        spanWindows(Starts(Track.Spans), {{5000, 5300}, {0, 40000}}, Most);
    size_t Begin = 0;
    int64_t Before = INT64_MIN;
    for (const auto &[From, To] : Windows) {
      EXPECT_LT(Before, From);
      EXPECT_LT(From, To);
      Before = To;
      for (const TrackSpan &S : Track.Spans)
        Begin += S.StartNs >= From && S.StartNs < To;
    }
    EXPECT_LE(Begin, Most + 1);
    EXPECT_GE(Begin, Most * 6 / 10);
    // The slow step is there; what doesn't fit isn't.
    EXPECT_TRUE(std::any_of(
        Windows.begin(), Windows.end(),
        [](auto &W) { return W.first <= 5000 && W.second >= 5300; }))
        << "seed " << Seed;
  }
}

TEST(SpanDetail, WindowsOfFewSpansAreOne) {
  EXPECT_EQ(spanWindows(Starts({{5, 20, 0}, {6, 7, 1}, {19, 25, 0}}), {}, 3),
            (std::vector<std::pair<int64_t, int64_t>>{{5, 26}}));
  EXPECT_TRUE(spanWindows(Starts({{5, 20, 0}}), {}, 0).empty());
  EXPECT_TRUE(spanWindows(Starts({}), {}, 3).empty());
}

TEST(SpanDetail, SharesAreFair) {
  EXPECT_EQ(fairShares({10, 20, 30}, 100), (std::vector<size_t>{10, 20, 30}));
  EXPECT_EQ(fairShares({1000, 10, 1000}, 110),
            (std::vector<size_t>{50, 10, 50}));
  EXPECT_EQ(fairShares({}, 110), (std::vector<size_t>{}));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a clock of 25 MHz, as some Arm servers have, makes of short spans: the
// truth in nanoseconds is made and known, and the clock shows every 40th.

#include "Fixture.h"

#include <loopscope/loopscope.h>

#include <cmath>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t StepNs = 40;
constexpr int Spans = 100000;

class CoarseClockTest : public RuntimeTest {
protected:
  /// Lets NS nanoseconds pass.
  void pass(uint64_t Ns) {
    TrueNs += Ns;
    FakeTicks = 1000 + TrueNs / StepNs;
  }

  /// Spans of NAME of exactly NS, with gaps of all lengths between them, as a
  /// loop of other work has.
  Node &spansOf(const std::string &Name, uint64_t Ns) {
    uint64_t Gap = 1;
    for (int I = 0; I < Spans; ++I) {
      Gap = Gap * 6364136223846793005U + 1442695040888963407U;
      pass(1000 + (Gap >> 33) % 400);
      loopscope_token Token = __loopscope_enter(site(Name));
      pass(Ns);
      __loopscope_leave(Token);
    }
    return node(Name);
  }

  uint64_t TrueNs = 0;
};

/// Whether the sum of N is that of SPANS spans of NS: each is wrong by less
/// than a step, and independently, so 4 standard deviations of the sum are
/// allowed.
void expectRightSum(const Node &N, uint64_t Ns) {
  double Truth = static_cast<double>(Ns) * Spans / StepNs;
  EXPECT_EQ(N.count, uint64_t(Spans));
  EXPECT_NEAR(static_cast<double>(N.sum_ticks), Truth, 2 * std::sqrt(Spans));
}
} // namespace

TEST_F(CoarseClockTest, SpansShorterThanAStep) {
  Node &N = spansOf("20 ns", 20);
  expectRightSum(N, 20);
  EXPECT_EQ(N.min_ticks, 0U);
  EXPECT_EQ(N.max_ticks, 1U);
}

TEST_F(CoarseClockTest, SpansOfWholeSteps) {
  Node &N = spansOf("200 ns", 200);
  expectRightSum(N, 200);
  EXPECT_EQ(N.min_ticks, 5U);
  EXPECT_EQ(N.max_ticks, 5U);
}

TEST_F(CoarseClockTest, LongSpans) {
  Node &N = spansOf("1990 ns", 1990);
  expectRightSum(N, 1990);
  EXPECT_EQ(N.min_ticks, 49U);
  EXPECT_EQ(N.max_ticks, 50U);
}

// Spans that follow each other share readings: their sum is the time between
// the first and the last, whatever the step is.
TEST_F(CoarseClockTest, AdjacentSpansAddUp) {
  uint64_t Whole = 0;
  for (int I = 0; I < 1000; ++I) {
    pass(1000 + static_cast<uint64_t>(I) % 400);
    uint64_t Begin = FakeTicks;
    loopscope_token First = __loopscope_enter(site("first"));
    pass(30);
    __loopscope_leave(First);
    loopscope_token Second = __loopscope_enter(site("second"));
    pass(50);
    __loopscope_leave(Second);
    Whole += FakeTicks - Begin;
  }
  EXPECT_EQ(node("first").sum_ticks + node("second").sum_ticks, Whole);
}

// A clock that tests stop has no step that readings show.
TEST_F(CoarseClockTest, StepOfAStandingClock) { EXPECT_EQ(clockStep(), 1U); }

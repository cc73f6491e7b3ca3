// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory by step of traces, against a reference that looks at each nanosecond;
// what only grows.

#include "Analysis/Device/MemoryOfSteps.h"

#include "Run/Combine/SelectThread.h"
#include "TraceBuilder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace loopscope;

namespace {
// A trace of steps of 10 us each, and of a lane.
class Traced {
public:
  explicit Traced(int64_t Steps) {
    R.By = &PyTorchProfiler;
    R.MemoryOverTime.push_back({MemoryKind::Host, -1, INT64_MIN, {}});
    for (int64_t I = 0; I < Steps; ++I) {
      TraceStep Next;
      Next.Name = std::to_string(I);
      Next.Host = Next.Time = {I * 10'000, (I + 1) * 10'000};
      Of.Steps.push_back(Next);
    }
  }
  void change(int64_t At, int64_t Bytes, uint32_t Track = UINT32_MAX) {
    std::vector<MemoryChange> &To = lane().Changes;
    int64_t Held = To.empty() ? 0 : static_cast<int64_t>(To.back().HeldBytes);
    MemoryChange Next;
    Next.AtNs = At;
    Next.Bytes = Bytes;
    Next.HeldBytes = static_cast<uint64_t>(Held + Bytes);
    Next.Track = Track;
    To.push_back(Next);
  }
  // One change in the middle of each step.
  void grow(const std::vector<int64_t> &Bytes) {
    for (size_t I = 0; I < Bytes.size(); ++I)
      change(static_cast<int64_t>(I) * 10'000 + 5'000, Bytes[I]);
  }
  MemoryLane &lane() { return R.MemoryOverTime.front(); }
  MemoryOfSteps result() const { return memoryOfSteps(R, Of); }

  loopscope::Run R;
  StepAnalysis Of;
};

TEST(MemoryOfStepsTest, EqualsALookAtEachMoment) {
  std::mt19937 Random(20261130);
  for (int Round = 0; Round < 50; ++Round) {
    Traced T(12);
    std::vector<int64_t> Held(121'000); // by nanosecond: after it
    int64_t Now = 0;
    for (int64_t At = 0, Next = 0; At < 121'000; ++At) {
      while (Next <= At) {
        int64_t By = static_cast<int64_t>(Random() % 200) - 100;
        By = std::max(By, -Now);
        if (By != 0)
          T.change(At, By);
        Now += By;
        Next += static_cast<int64_t>(Random() % 4000);
      }
      Held[static_cast<size_t>(At)] = Now;
    }
    MemoryOfSteps Found = T.result();
    ASSERT_EQ(Found.Rows.size(), 12U);
    for (const StepMemory &Each : Found.Rows) {
      size_t From = Each.Step * 10'000;
      int64_t Start = From == 0 ? 0 : Held[From - 1];
      int64_t Peak = Start;
      for (size_t At = From; At < From + 10'000; ++At)
        Peak = std::max(Peak, Held[At]);
      EXPECT_EQ(Each.StartBytes, static_cast<uint64_t>(Start));
      // Changes at one moment may pass by a higher one.
      EXPECT_GE(Each.PeakBytes, static_cast<uint64_t>(Peak));
      EXPECT_EQ(Each.EndBytes, static_cast<uint64_t>(Held[From + 9'999]));
      EXPECT_EQ(Each.AllocatedBytes - Each.FreedBytes,
                Each.EndBytes - Each.StartBytes);
    }
    std::vector<double> Curve = heldUpTo(T.lane(), {5'000, 50'000, 120'000});
    EXPECT_GE(Curve[1], static_cast<double>(*std::max_element(
                            Held.begin() + 5'000, Held.begin() + 50'000)));
  }
}

TEST(MemoryOfStepsTest, GrowthNeedsManyStepsOfWhichNoneShrinks) {
  Traced Leaks(20);
  Leaks.grow(std::vector<int64_t>(20, 100));
  MemoryOfSteps Found = Leaks.result();
  ASSERT_EQ(Found.Growths.size(), 1U);
  EXPECT_EQ(Found.Growths[0].Steps, 10U);
  EXPECT_EQ(Found.Growths[0].Bytes, 1000U);

  Traced Few(19);
  Few.grow(std::vector<int64_t>(19, 100));
  EXPECT_TRUE(Few.result().Growths.empty());

  Traced Shrinks(20);
  std::vector<int64_t> Bytes(20, 100);
  Bytes[15] = -1;
  Shrinks.grow(Bytes);
  EXPECT_TRUE(Shrinks.result().Growths.empty());

  Traced Settles(40); // allocates in the first half, and twice later
  Bytes.assign(40, 0);
  std::fill_n(Bytes.begin(), 20, 100);
  Bytes[25] = Bytes[35] = 8;
  Settles.grow(Bytes);
  EXPECT_TRUE(Settles.result().Growths.empty());
}

TEST(MemoryOfStepsTest, StepsBeforeTheFirstKnownChangeAreLeftOut) {
  Traced T(6);
  T.grow({10, 10, 10, 10, 10, 10});
  T.lane().Changes.erase(T.lane().Changes.begin(),
                         T.lane().Changes.begin() + 3);
  T.lane().KnownFromNs = T.lane().Changes.front().AtNs;
  MemoryOfSteps Found = T.result();
  EXPECT_EQ(Found.Unknown, 4U);
  ASSERT_EQ(Found.Rows.size(), 2U);
  EXPECT_EQ(Found.Rows[0].StartBytes, 40U);
  EXPECT_EQ(Found.Rows[1].EndBytes, 60U);
  EXPECT_TRUE(std::isnan(heldUpTo(T.lane(), {20'000})[0]));
}

TEST(MemoryOfStepsTest, TheOutermostOperatorAroundAPeakIsNamed) {
  Traced T(1);
  TraceBuilder B;
  B.host(TraceKind::Annotation, "forward", 0, 8)
      .op("aten::linear", 1, 4)
      .op("aten::addmm", 2, 2)
      .op("aten::relu", 6, 1);
  B.host(TraceKind::Operator, "aten::copy_", 2, 1, 0, "2");
  T.R.Stream = B.read();
  T.change(1'000, 100, 0);
  T.change(3'000, 100, 0); // in aten::linear; thread 2 copies
  T.change(6'500, -50, 0);
  EXPECT_EQ(T.result().Rows[0].PeakIn, "aten::linear");
  T.change(7'500, 500, 0); // in no operator
  EXPECT_EQ(T.result().Rows[0].PeakIn, "forward");
  T.change(9'000, 500, 0); // in nothing
  EXPECT_EQ(T.result().Rows[0].PeakIn, "");
}

TEST(MemoryOfStepsTest, AChosenThreadKeepsWhatTheProcessHeld) {
  loopscope::Run R;
  for (uint32_t I = 0; I < 2; ++I) {
    Thread Next;
    Next.IsMain = I == 0;
    Next.Name = I == 0 ? "main" : "other";
    Next.Root = I;
    R.Threads.push_back(Next);
  }
  for (uint32_t I = 0; I < 4; ++I) { // two roots, and a phase below each
    Node Next;
    Next.Kind = I < 2 ? LOOPSCOPE_KIND_ROOT : LOOPSCOPE_KIND_PHASE;
    Next.Thread = I % 2;
    Next.Parent = I < 2 ? None : I - 2;
    R.Nodes.push_back(Next);
  }
  R.Nodes[0].Children = {2};
  R.Nodes[1].Children = {3};
  R.MemoryOverTime.push_back({MemoryKind::Device, 0, INT64_MIN, {}});
  for (uint32_t Node : {2U, 3U})
    R.MemoryOverTime[0].Changes.push_back({Node, 1, Node, 0, Node, None});
  Result<loopscope::Run> Other = selectThread(R, "other");
  ASSERT_TRUE(bool(Other));
  const std::vector<MemoryChange> &Changes = Other->MemoryOverTime[0].Changes;
  ASSERT_EQ(Changes.size(), 2U);
  EXPECT_EQ(Changes[0].Node, None); // of the main thread
  ASSERT_LT(Changes[1].Node, Other->Nodes.size());
  EXPECT_EQ(Other->Nodes[Changes[1].Node].Kind, LOOPSCOPE_KIND_PHASE);
}
} // namespace

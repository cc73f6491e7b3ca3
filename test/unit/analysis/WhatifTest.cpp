// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From blocks to rows, verdicts and the whatif view.

#include "Analysis/Tree/Whatif.h"
#include "Milliseconds.h"
#include "Report/Views/View.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace loopscope {
extern const View WhatifView;
} // namespace loopscope

namespace {
// fit > train > step > (draw, batch > (forward, optimizer)); loader's decode.
loopscope::Run runOfThree() {
  loopscope::Run R;
  auto Add = [&](uint32_t Parent, loopscope_kind Kind, const char *Name) {
    Node N;
    N.Parent = Parent;
    N.Kind = Kind;
    N.Thread = Parent == None ? static_cast<uint32_t>(R.Threads.size() - 1)
                              : R.Nodes[Parent].Thread;
    if (*Name != 0) {
      N.Site = static_cast<uint32_t>(R.Sites.size());
      R.Sites.push_back({Kind, Name, "f.c", "main", 1});
    }
    R.Nodes.push_back(std::move(N));
    return static_cast<uint32_t>(R.Nodes.size() - 1);
  };
  R.Path = "p";
  R.WallNs = 1000 * Ms;
  R.Threads.resize(1);
  R.Threads[0].IsMain = true;
  R.Threads[0].Root = Add(None, LOOPSCOPE_KIND_ROOT, "");
  uint32_t Fit = Add(0, LOOPSCOPE_KIND_FIT, "fit");
  uint32_t Train = Add(Fit, LOOPSCOPE_KIND_TRAIN, "train");
  uint32_t Step = Add(Train, LOOPSCOPE_KIND_STEP, "train");
  uint32_t Batch = Add(Step, LOOPSCOPE_KIND_BATCH, "train");
  Add(Batch, LOOPSCOPE_KIND_PHASE, "forward");
  Add(Batch, LOOPSCOPE_KIND_PHASE, "optimizer");
  R.Threads.resize(2);
  R.Threads[1].Root = Add(None, LOOPSCOPE_KIND_ROOT, "");
  uint32_t Decode = Add(R.Threads[1].Root, LOOPSCOPE_KIND_PHASE, "decode");
  R.Nodes[Decode].Spans = Moments::fromSums(1, 5, 25, 0, 1);
  return R;
}
enum : uint32_t { Train = 2, Forward = 5, Optimizer = 6, Decode = 8 };

// Ten steps of STEP_MS, with 4 ms of PHASE and 0.6 ms injected.
void add(loopscope::Run &R, uint32_t Phase, double StepMs,
         uint64_t Threads = 1) {
  WhatifBlock B;
  B.Phase = Phase;
  B.Loop = Train;
  B.BurnIn = 6;
  B.StepNs.assign(10, static_cast<uint64_t>(StepMs * Ms));
  if (Phase != None) {
    B.InjectedNs = 10 * Ms * 6 / 10;
    B.PhaseNs = 10 * 4 * Ms;
    B.Spans = B.Lengthened = 10;
    B.Threads = Threads;
  }
  R.Whatif.push_back(std::move(B));
}

// COUNT experiments of a phase; steps in its blocks are LONGER_MS longer.
void experiments(loopscope::Run &R, uint32_t Phase, int Count, double LongerMs,
                 uint64_t Threads = 1) {
  add(R, None, 10);
  for (int I = 0; I < Count; ++I) {
    add(R, Phase, 10 + LongerMs, Threads);
    add(R, None, 10);
  }
}

TEST(Whatif, EachPhaseHasASlope) {
  loopscope::Run P = runOfThree();
  experiments(P, Forward, 8, 0.6);
  experiments(P, Optimizer, 8, 0.3);
  experiments(P, Decode, 8, 0);
  WhatifResult R = whatifOf(P);
  ASSERT_EQ(R.Rows.size(), 3U);
  EXPECT_TRUE(R.IsDone);
  EXPECT_EQ(R.StepsMissing, 0U);
  EXPECT_EQ(R.Steps, 51U * 16);
  EXPECT_EQ(R.Rows[0].Node, Forward);
  EXPECT_NEAR(R.Rows[0].Slope, 1, 1e-9);
  EXPECT_EQ(R.Rows[0].Verdict, WhatifVerdict::Critical);
  EXPECT_NEAR(R.Rows[0].SavesPercent, 4, 1e-9);
  EXPECT_NEAR(R.Rows[0].PhaseSeconds, 0.004, 1e-12);
  EXPECT_NEAR(R.Rows[0].StepSeconds, 0.010, 1e-12);
  EXPECT_EQ(R.Rows[1].Node, Optimizer);
  EXPECT_EQ(R.Rows[1].Verdict, WhatifVerdict::Critical); // 0.5 is enough
  EXPECT_EQ(R.Rows[2].Node, Decode);
  EXPECT_EQ(R.Rows[2].Verdict, WhatifVerdict::Hidden);
  EXPECT_EQ(R.Rows[2].SavesPercent, 0);
}

// A phase that doesn't delay the measured steps may delay its own thread's.
TEST(Whatif, AnotherTrainersPhaseIsCriticalOrUnknown) {
  for (double LongerMs : {0.0, 0.24, 0.6}) {
    loopscope::Run P = runOfThree();
    auto Add = [&](uint32_t Parent, loopscope_kind Kind) {
      Node N;
      N.Parent = Parent;
      N.Kind = Kind;
      N.Thread = 1;
      N.Site = static_cast<uint32_t>(P.Sites.size());
      P.Sites.push_back({Kind, "other", "f.c", "other", 1});
      P.Nodes.push_back(std::move(N));
      return static_cast<uint32_t>(P.Nodes.size() - 1);
    };
    uint32_t Loop = Add(P.Threads[1].Root, LOOPSCOPE_KIND_TRAIN);
    uint32_t Batch = Add(Add(Loop, LOOPSCOPE_KIND_STEP), LOOPSCOPE_KIND_BATCH);
    experiments(P, Add(Batch, LOOPSCOPE_KIND_PHASE), 8, LongerMs);
    WhatifResult R = whatifOf(P);
    ASSERT_EQ(R.Rows.size(), 1U);
    EXPECT_EQ(R.Rows[0].Verdict, LongerMs == 0.6 ? WhatifVerdict::Critical
                                                 : WhatifVerdict::Unknown);
  }
}

TEST(Whatif, BetweenHiddenAndCriticalIsPartly) {
  loopscope::Run R = runOfThree();
  experiments(R, Forward, 8, 0.24);
  EXPECT_EQ(whatifOf(R).Rows[0].Verdict, WhatifVerdict::Partly);
}

// Four loaders take turns at making batches: a step grows by a quarter of each
// loader's lengthening, and all of it is on the step's path.
TEST(Whatif, ConcurrentThreadsShareTheInjectedTime) {
  loopscope::Run R = runOfThree();
  experiments(R, Decode, 8, 0.15, 0b1111);
  WhatifRow Row = whatifOf(R).Rows[0];
  EXPECT_NEAR(Row.Slope, 1, 1e-9);
  EXPECT_NEAR(Row.PhaseSeconds, 0.004, 1e-12);
  EXPECT_NEAR(Row.SavesPercent, 1, 1e-9);
}

// Wider intervals need more steps.
TEST(Whatif, ShortRunsSayHowManyStepsAreMissing) {
  loopscope::Run P = runOfThree();
  experiments(P, Forward, 2, 0.6);
  WhatifResult R = whatifOf(P);
  EXPECT_FALSE(R.IsDone);
  EXPECT_FALSE(R.Rows[0].HasSlope);
  EXPECT_EQ(R.Rows[0].Verdict, WhatifVerdict::Unknown);
  EXPECT_EQ(R.StepsMissing, 6U * 2 * 16);

  P = runOfThree();
  add(P, None, 10);
  for (int I = 0; I < 10; ++I) {
    add(P, Forward, I % 2 == 0 ? 10.18 : 10.66); // slopes 0.3 and 1.1
    add(P, None, 10);
  }
  R = whatifOf(P);
  EXPECT_FALSE(R.IsDone);
  EXPECT_EQ(R.Rows[0].Verdict, WhatifVerdict::Unknown);
  double Width = R.Rows[0].High - R.Rows[0].Low;
  double Experiments = 10 * (Width * Width / 0.04 - 1);
  EXPECT_NEAR(static_cast<double>(R.StepsMissing), Experiments * 2 * 16, 1);
  EXPECT_GT(R.StepsMissing, 1000U);
}

// 10% less of 4 ms is 0.4 ms less, even if noise raises the slope.
TEST(Whatif, PhasesSaveAtMostTheirOwnTime) {
  loopscope::Run R = runOfThree();
  experiments(R, Forward, 8, 0.64);
  WhatifRow Row = whatifOf(R).Rows[0];
  EXPECT_NEAR(Row.Slope, 1.0667, 1e-4);
  EXPECT_NEAR(Row.SavesPercent, 4, 1e-9);
}

// Neither a step that shrinks nor one that grows by more than was added is an
// answer.
TEST(Whatif, SlopesOutsideOfZeroToOneAreNoise) {
  for (double LongerMs : {-6.0, -0.3, 0.9, 1.2, 9.0}) {
    loopscope::Run P = runOfThree();
    experiments(P, Forward, 8, LongerMs);
    experiments(P, Decode, 8, 0);
    WhatifResult R = whatifOf(P);
    WhatifRow &Row = R.Rows[R.Rows[0].Node == Forward ? 0 : 1];
    EXPECT_TRUE(Row.IsNoise) << LongerMs;
    EXPECT_EQ(Row.Verdict, WhatifVerdict::Unknown);
    EXPECT_EQ(Row.SavesPercent, 0);
    auto Notes = WhatifView.OfRun(P, {})->front().Notes;
    EXPECT_EQ(Notes[1], "Noise: forward, whose slope can't be outside 0 to 1.");
  }
}

// What is added in lumps is left out with the longer half of the steps.
TEST(Whatif, OnlyEvenLengtheningsCount) {
  for (uint64_t Lengthened : {0U, 1U, 8U, 9U, 10U, 40U})
    for (uint64_t Spans : {2U, 10U, 1000U}) {
      loopscope::Run R = runOfThree();
      experiments(R, Forward, 8, 0.6);
      for (WhatifBlock &Each : R.Whatif)
        if (Each.Phase != None) {
          Each.Lengthened = Lengthened;
          Each.Spans = Spans;
        }
      uint64_t Wanted = Spans == 2 ? 2 : 10;
      bool IsEven = Lengthened >= Wanted - Wanted / 10;
      bool IsTooShort = Lengthened * 2 < Wanted;
      WhatifRow Row = whatifOf(R).Rows[0];
      EXPECT_EQ(Row.Blocks, IsEven ? 8U : 0U) << Lengthened << ' ' << Spans;
      EXPECT_EQ(Row.IsTooShort, IsTooShort);
      EXPECT_NEAR(Row.PhaseSeconds, 0.004, 1e-12);
      auto Notes = WhatifView.OfRun(R, {})->front().Notes;
      EXPECT_EQ(Notes[1] == "Without experiments: forward, too short to be "
                            "lengthened in every step.",
                IsTooShort);
    }
}

// Nothing in a loop on one thread that waits for nothing is hidden.
TEST(Whatif, AKnownSlopeChecksTheExperiments) {
  enum { Serial, OtherThread, Device, Collective, Waits, Unmeasured, Cases };
  for (int Case = 0; Case < Cases; ++Case)
    for (double LongerMs : {0.0, 0.3, 0.57, 0.6}) {
      loopscope::Run P = runOfThree();
      P.Nodes[Train].InclusiveNs = 900 * Ms;
      CpuSums &Cpu = P.Nodes[Train].Cpu;
      Cpu.MeasuredNs = Case == Unmeasured ? 0 : P.Nodes[Train].InclusiveNs;
      Cpu.CpuNs = Cpu.MeasuredNs / 2; // others had the processor
      Cpu.InvoluntarySwitches = 100;
      Cpu.VoluntarySwitches = Case == Waits ? 1000 : 0;
      P.Gpu.Launches = Case == Device ? 1 : 0;
      if (Case == Collective)
        P.Collectives.emplace_back();
      if (Case != OtherThread)
        P.Nodes[Decode].Spans = {};
      experiments(P, Forward, 8, LongerMs);
      experiments(P, Optimizer, 8, 0.6);
      WhatifResult R = whatifOf(P);
      bool IsRefuted = (Case == Serial || Case == Unmeasured) && LongerMs < 0.5;
      EXPECT_EQ(R.Refuted, IsRefuted ? Forward : None) << Case << LongerMs;
      for (const WhatifRow &Each : R.Rows)
        EXPECT_EQ(Each.Verdict == WhatifVerdict::Unknown, IsRefuted);
      EXPECT_EQ(WhatifView.OfRun(P, {})->front().Notes.back().starts_with(
                    "Nothing was recorded that runs beside these steps"),
                IsRefuted);
    }
}

// More experiments than a run makes aren't asked for.
TEST(Whatif, StepsThatNoRunCanUseArentAskedFor) {
  loopscope::Run P = runOfThree();
  add(P, None, 10);
  for (int I = 0; I < 10; ++I) {
    add(P, Forward, I % 2 == 0 ? 8.0 : 13.2);
    add(P, None, 10);
  }
  WhatifResult R = whatifOf(P);
  EXPECT_TRUE(R.IsOutOfReach);
  EXPECT_EQ(R.StepsMissing, 0U);
  EXPECT_EQ(WhatifView.OfRun(P, {})->front().Notes.back(),
            "Steps vary too much for intervals narrower than 0.2: that would "
            "take more than the 256 experiments that a phase gets in a run.");
}

// 3 microseconds of a 10 ms step can't be measured: that would take millions of
// steps.
TEST(Whatif, ShortPhasesRequestNoSteps) {
  loopscope::Run P = runOfThree();
  auto AddShort = [&] {
    for (int I = 0; I < 8; ++I) {
      add(P, Optimizer, I % 2 == 0 ? 10.0 : 10.1);
      P.Whatif.back().PhaseNs = 10 * Ms * 3 / 1000;
      P.Whatif.back().InjectedNs = 10 * Ms / 2000;
      add(P, None, 10);
    }
  };
  experiments(P, Forward, 8, 0.6);
  AddShort();
  WhatifResult R = whatifOf(P);
  EXPECT_FALSE(R.IsDone);
  EXPECT_TRUE(R.IsShortMissing);
  EXPECT_EQ(R.StepsMissing, 0U);
  EXPECT_TRUE(R.Rows[1].IsShort);
  auto Note = [&] { return WhatifView.OfRun(P, {})->front().Notes.back(); };
  EXPECT_EQ(Note(), "Every interval is narrower than 0.2, but those of phases "
                    "that take less than 1% of a step may never be.");

  P.Whatif.clear();
  experiments(P, Forward, 4, 0.6);
  AddShort();
  EXPECT_EQ(whatifOf(P).StepsMissing, 4U * 4 * 16);
  EXPECT_TRUE(Note().ends_with("so far; those of phases that take less than 1% "
                               "of a step may never be."));

  // If it is the only one, it was the run's purpose.
  P.Whatif.clear();
  add(P, None, 10);
  AddShort();
  EXPECT_FALSE(whatifOf(P).Rows[0].IsShort);
  EXPECT_TRUE(whatifOf(P).IsOutOfReach);
}

// A block between blocks of other processes, or without a following block,
// isn't an experiment.
TEST(Whatif, AnExperimentNeedsBothNeighbours) {
  loopscope::Run R = runOfThree();
  add(R, None, 10);
  add(R, Forward, 10.6);
  EXPECT_EQ(whatifOf(R).Rows[0].Blocks, 0U);
  add(R, None, 10);
  EXPECT_EQ(whatifOf(R).Rows[0].Blocks, 1U);
  R.Whatif.back().Process = 1;
  EXPECT_EQ(whatifOf(R).Rows[0].Blocks, 0U);
}

TEST(Whatif, TheViewHasARowForEachPhase) {
  loopscope::Run R = runOfThree();
  EXPECT_EQ(WhatifView.OfRun(R, {}).error().Message,
            "p: has no experiments; run the program with LOOPSCOPE=whatif, for "
            "longer if you did");
  experiments(R, Forward, 8, 0.6);
  experiments(R, Decode, 2, 0);
  auto Tables = WhatifView.OfRun(R, {});
  ASSERT_TRUE(static_cast<bool>(Tables));
  ASSERT_EQ(Tables->size(), 1U);
  const Table &T = Tables->front();
  std::string Keys = "stage";
  for (const Column &Each : T.Columns)
    Keys += "," + Each.Key;
  EXPECT_EQ(Keys, "stage,path,phase,time_s,slope,slope_low,slope_high,saves_"
                  "percent_at_10,verdict,blocks");
  EXPECT_EQ(T.Where, (std::vector<std::pair<std::string, std::string>>{
                         {"stage", "fit"}}));
  ASSERT_EQ(T.Rows.size(), 2U);
  auto Text = [&](size_t Row, size_t Column) {
    return std::get<std::string>(T.Rows[Row].Cells[Column].Value);
  };
  EXPECT_EQ(Text(0, 0), "fit/train/forward");
  EXPECT_EQ(Text(0, 1), "forward");
  EXPECT_EQ(Text(0, 7), "critical");
  EXPECT_EQ(Text(1, 0), "decode");
  EXPECT_EQ(Text(1, 7), "unknown");
  // Two experiments give no slope.
  EXPECT_TRUE(std::holds_alternative<std::monostate>(T.Rows[1].Cells[3].Value));
  EXPECT_EQ(T.Notes, (std::vector<std::string>{
                         "Steps are those of fit/train.",
                         "Some intervals are wider than 0.2: about 384 steps "
                         "more would narrow them, if they vary as the 352 so "
                         "far."}));
  R.Whatif.clear();
  experiments(R, Forward, 8, 0.6);
  Tables = WhatifView.OfRun(R, {});
  EXPECT_EQ(Tables->front().Notes,
            (std::vector<std::string>{"Steps are those of fit/train.",
                                      "Every interval is narrower than 0.2: "
                                      "the experiments are done."}));
}
} // namespace

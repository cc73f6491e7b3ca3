// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recommendations are sorted by possible savings, name the rows that they are
// based on, and omit savings that are too small or hidden by a device.

#include "Analysis/Verdict/Advice.h"
#include "Analysis/Thresholds.h"
#include "Milliseconds.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace loopscope;

namespace {
PhaseTime phase(const char *Name, uint32_t Line, int64_t Wall, int64_t Cpu,
                int64_t Starved = 0) {
  PhaseTime P;
  P.Name = Name;
  P.File = "/src/net.cpp";
  P.Line = Line;
  P.HostNs = Wall * Ms;
  P.HostCpu.MeasuredNs = P.HostCpu.StarvedOfNs = Wall * Ms;
  P.HostCpu.CpuNs = Cpu * Ms;
  P.HostCpu.StarvedNs = Starved * Ms;
  P.HostCpu.VoluntarySwitches = 1;
  return P;
}

Figures steps(std::vector<PhaseTime> Phases) {
  Figures Of;
  Of.Time.emplace();
  StepTime &To = *Of.Time;
  To.HasSteps = true;
  To.Phases = std::move(Phases);
  for (PhaseTime &Each : To.Phases) {
    Each.InputUses =
        hostUseOf(Each.InputNs, Each.InputWaitNs, 0, Each.InputCpu);
    Each.HostUses =
        hostUseOf(Each.HostNs, Each.HostWaitNs, Each.BlockedNs, Each.HostCpu);
    To.HostNs += Each.HostNs + Each.InputNs;
    To.InputNs += Each.InputNs;
  }
  To.DeviceNs = To.HostNs;
  To.InputIdleNs = To.InputNs;
  return Of;
}

std::vector<std::string> rulesOf(const Figures &Of) {
  std::vector<std::string> Result;
  for (const Advice &Each : advise(Of))
    Result.push_back(Each.Rule);
  return Result;
}

using Rules = std::vector<std::string>;
} // namespace

TEST(Advice, LargestSavingComesFirst) {
  PhaseTime Draw;
  Draw.Name = "draw";
  Draw.InputNs = 300 * Ms;
  Figures Of = steps(
      {phase("save", 9, 350, 100, 0), Draw, phase("forward", 5, 350, 300, 50)});
  EXPECT_EQ(rulesOf(Of), Rules({"computing", "data_loading", "blocked"}));
  std::vector<Advice> Found = advise(Of);
  EXPECT_EQ(Found[0].SavesNs, 400 * Ms);
  EXPECT_EQ(Found[0].Rows, "forward, net.cpp:5; save, net.cpp:9");
  EXPECT_EQ(Found[1].SavesNs, 300 * Ms);
  EXPECT_EQ(Found[2].line(),
            "25.0% of the step time goes to batches waiting off the "
            "CPU, for something that isn't recorded: overlap the wait "
            "with other work. (saves at most 250 ms; see save, net.cpp:9)");
}

TEST(Advice, WaitingWhileOtherThreadsComputeIsApart) {
  PhaseTime Pool = phase("forward", 5, 1000, 0);
  Pool.HostCpu.OthersNs = 750 * Ms;
  EXPECT_EQ(rulesOf(steps({Pool})), Rules({"other_threads", "blocked"}));
  std::vector<Advice> Found = advise(steps({Pool}));
  EXPECT_EQ(Found[0].SavesNs, 750 * Ms);
  EXPECT_EQ(Found[1].SavesNs, 250 * Ms);
  // Four threads at the same time.
  Pool.HostCpu.OthersNs = 4000 * Ms;
  EXPECT_EQ(rulesOf(steps({Pool})), Rules({"other_threads"}));
  // They compute beside a thread that computes, too.
  Pool.HostCpu.CpuNs = 1000 * Ms;
  EXPECT_EQ(rulesOf(steps({Pool})), Rules({"computing"}));
}

TEST(Advice, MarkedWaitsAreKnown) {
  PhaseTime Pop = phase("pop", 5, 1000, 0);
  Pop.HostWaitNs = 600 * Ms;
  EXPECT_EQ(advise(steps({Pop})).front().Text,
            "100.0% of the step time goes to batches in places that are "
            "marked as waits: overlap the wait with other work.");
  Pop.HostWaitNs = 400 * Ms;
  EXPECT_EQ(advise(steps({Pop})).front().Text,
            "100.0% of the step time goes to batches waiting off the "
            "CPU, for something that isn't recorded: overlap the wait "
            "with other work.");
}

// Of all waiting, whichever loop's first steps it is in.
TEST(Advice, FirstDrawsAreOfAllWaiting) {
  auto Loop = [](int64_t First, int64_t All) {
    LoopAccount Of;
    Of.Steps = 30;
    Of.FirstSteps = 3;
    Of.FirstDrawNs = First * Ms;
    Of.Parts = {{AccountUse::Draw, "draw", None, All * Ms, {}}};
    return Of;
  };
  Account All;
  All.Loops = {Loop(60, 80), Loop(10, 100)};
  FirstDraws Found = firstDrawsOf(All);
  EXPECT_EQ(Found.Steps, 3U);
  EXPECT_EQ(Found.Ns, 60 * Ms);
  EXPECT_EQ(Found.AllNs, 180 * Ms);
  EXPECT_FALSE(Found.isMost());
  All.Loops[1] = Loop(10, 200);
  EXPECT_EQ(firstDrawsOf(All).Steps, 0U);
}

TEST(Advice, StartsAtTheThreshold) {
  auto With = [](int64_t Starved) {
    return steps({phase("forward", 5, 1000, 1000 - Starved, Starved)});
  };
  auto Least = static_cast<int64_t>(WorthAdvice * 1000);
  EXPECT_EQ(rulesOf(With(Least)), Rules({"computing", "starved"}));
  EXPECT_EQ(rulesOf(With(Least - 1)), Rules({"computing"}));
}

TEST(Advice, TimeHiddenByADeviceSavesNothing) {
  Figures Of = steps({phase("forward", 5, 1000, 1000)});
  Of.Time->HasGpu = true;
  Of.Time->KernelNs = 900 * Ms;
  ASSERT_EQ(rulesOf(Of), Rules({"computing"}));
  EXPECT_EQ(advise(Of)[0].SavesNs, 100 * Ms);
  ++Of.Time->KernelNs;
  EXPECT_EQ(rulesOf(Of), Rules());
}

TEST(Advice, CommunicationIsPartOfTheStepTime) {
  PhaseTime Reduce = phase("allreduce", 7, 900, 0);
  Reduce.Communicates = true;
  Figures Of = steps({phase("forward", 5, 300, 60, 240), Reduce});
  Of.Time->CommunicationNs = 900 * Ms;
  ASSERT_EQ(rulesOf(Of), Rules({"communication", "starved"}));
  EXPECT_EQ(advise(Of)[1].Figure, 20);
  // Most of the rest is less than a tenth of the whole.
  Of = steps({phase("forward", 5, 100, 10, 90), Reduce});
  Of.Time->CommunicationNs = 900 * Ms;
  EXPECT_EQ(rulesOf(Of), Rules({"communication"}));
}

TEST(Advice, LaunchesSaveAtMostTheDevicesIdleTime) {
  Figures Of = steps({phase("forward", 5, 1000, 1000)});
  Of.Time->HasGpu = true;
  Of.Time->Kernels = Of.Time->ShortKernels = 1000;
  Of.Time->KernelNs = 990 * Ms;
  Of.Time->LaunchNs = 900 * Ms;
  ASSERT_EQ(rulesOf(Of), Rules({"short_kernels"}));
  EXPECT_EQ(advise(Of)[0].SavesNs, 10 * Ms);
}

TEST(Advice, UnknownFiguresGiveNoAdvice) {
  PhaseTime Unknown = phase("forward", 5, 1000, 0);
  Unknown.HostCpu = {};
  EXPECT_EQ(rulesOf(steps({Unknown})), Rules());
}

// What all ranks together know says more than one figure of their sums.
TEST(Advice, ALateRankInsteadOfCommunication) {
  Figures Of = steps({phase("sync", 5, 500, 500)});
  Of.Time->CommunicationNs = 400 * Ms;
  auto About = [&](const std::string &Rule) {
    std::vector<Advice> All = advise(Of);
    auto At = std::ranges::find(All, Rule, &Advice::Rule);
    return At == All.end() ? Advice() : *At;
  };
  EXPECT_NE(About("communication").Text.find("--view ranks"),
            std::string::npos);
  Of.About.OfRanks.Class = "communication-bound";
  Of.About.OfRanks.Text = "Verdict: communication-bound: ...";
  EXPECT_NE(About("communication").Text, "");
  EXPECT_EQ(About("communication").Text.find("--view ranks"),
            std::string::npos);
  Of.About.OfRanks.Class = "load-imbalanced";
  Of.About.OfRanks.Remedy = "Give rank 2 less to do.";
  Of.About.OfRanks.LostPart = 0.5;
  Of.About.OfRanks.Phase = "load";
  Of.About.OfRanks.File = "/src/net.cpp";
  Of.About.OfRanks.Line = 7;
  EXPECT_EQ(About("communication").Text, "");
  EXPECT_EQ(About("late_rank").Text, "Give rank 2 less to do.");
  EXPECT_EQ(About("late_rank").Figure, 50);
  EXPECT_EQ(About("late_rank").Rows, "load, net.cpp:7");
  EXPECT_EQ(About("late_rank").SavesNs, 250 * Ms);
}

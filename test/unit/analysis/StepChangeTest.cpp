// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The change of a mean step, its parts and its call paths, from runs whose
// times are known.

#include "Analysis/Compare/StepChange.h"
#include "Analysis/Compare/PathChanges.h"
#include "DescribedRun.h"
#include "Milliseconds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

using namespace loopscope;

namespace {
// 100 steps of MS milliseconds with PHASES, whose lines have no indent.
Run steps(int StepMs, const std::string &Phases) {
  std::string Text = "wall 100s\nthread main\n  fit fit spans=90s\n"
                     "    train train spans=80s file=t.c line=3\n"
                     "      step spans=100x" +
                     std::to_string(StepMs) + "ms" +
                     "\n        batch spans=100x" + std::to_string(StepMs) +
                     "ms\n";
  for (size_t At = 0; At < Phases.size();) {
    size_t End = Phases.find('\n', At);
    Text += "          " + Phases.substr(At, End - At) + '\n';
    At = End + 1;
  }
  return describedRun(Text);
}

struct Compared {
  std::vector<Run> Before, After;
  std::vector<StageChange> Stages;
  StepChange Step;
  std::vector<PathChange> Paths;

  Compared(std::vector<Run> Old, std::vector<Run> New, DiffTest By)
      : Before(std::move(Old)), After(std::move(New)),
        Stages(compareRuns(Before, After, {By, LeastDiffShare})) {
    Result<ComparedSteps> Of = comparedSteps(Before, After);
    EXPECT_TRUE(Of);
    Step = stepChange(*Of, Stages, By);
    Paths = pathChanges(*Of, Stages, {By, LeastDiffShare});
  }
  Compared(Run Old, Run New)
      : Compared(std::vector{std::move(Old)}, std::vector{std::move(New)},
                 DiffTest::Spans) {}

  const StepPartChange &part(const std::string &Name) const {
    auto At = std::ranges::find(Step.Parts, Name, &StepPartChange::Name);
    EXPECT_NE(At, Step.Parts.end()) << Name;
    return *At;
  }
  const PathChange &path(const std::string &Name) const {
    auto At = std::ranges::find(Paths, Name, &PathChange::Name);
    EXPECT_NE(At, Paths.end()) << Name;
    return *At;
  }
};

const char *const Old = "phase same spans=50x9ms,50x11ms\n"
                        "phase slow spans=50x19ms,50x21ms\n"
                        "  function deep spans=50x4ms,50x6ms\n"
                        "phase noisy spans=50x1ms,50x19ms\n"
                        "phase split spans=100x4ms\n"
                        "phase old spans=100x3ms\n"
                        "phase tiny spans=50x99us,50x101us\n";
const char *const New = "phase same spans=50x9ms,50x11ms\n"
                        "phase slow spans=50x29ms,50x31ms\n"
                        "  function deep spans=50x14ms,50x16ms\n"
                        "phase noisy spans=50x2ms,50x20ms\n"
                        "phase split spans=200x2ms\n"
                        "phase young spans=100x5ms\n"
                        "phase tiny spans=50x199us,50x201us\n";
} // namespace

TEST(StepChange, PartsAddUpToTheMeanSteps) {
  Compared Of(steps(60, Old), steps(75, New));
  EXPECT_EQ(Of.Step.Before.Count, 100U);
  EXPECT_EQ(Of.Step.Before.Place, "t.c:3");
  EXPECT_DOUBLE_EQ(Of.Step.Before.MeanNs, 60 * RealMs);
  EXPECT_DOUBLE_EQ(Of.Step.After.MeanNs, 75 * RealMs);
  double Before = 0;
  double After = 0;
  for (const StepPartChange &Each : Of.Step.Parts) {
    Before += Each.BeforeNs;
    After += Each.AfterNs;
  }
  EXPECT_NEAR(Before, 60 * RealMs, 1);
  EXPECT_NEAR(After, 75 * RealMs, 1);
  EXPECT_DOUBLE_EQ(Of.part("slow").ns(), 10 * RealMs);
  EXPECT_DOUBLE_EQ(Of.part("(no phase)").BeforeNs, 12.9 * RealMs);
  EXPECT_DOUBLE_EQ(Of.part("(no phase)").AfterNs, 14.8 * RealMs);
  // The largest change first, what is in no phase last.
  EXPECT_EQ(Of.Step.Parts.front().Name, "slow");
  EXPECT_EQ(Of.Step.Parts.back().Name, "(no phase)");
}

TEST(StepChange, EachBasis) {
  Compared Of(steps(60, Old), steps(75, New));
  std::map<std::string, ChangeBasis> Found;
  for (const StepPartChange &Each : Of.Step.Parts)
    Found[Each.Name] = Each.Basis;
  EXPECT_EQ(Found["slow"], ChangeBasis::Mean);
  EXPECT_EQ(Found["same"], ChangeBasis::Chance);
  EXPECT_EQ(Found["noisy"], ChangeBasis::Chance);
  EXPECT_EQ(Found["split"], ChangeBasis::Spans);
  EXPECT_EQ(Found["old"], ChangeBasis::Gone);
  EXPECT_EQ(Found["young"], ChangeBasis::New);
  EXPECT_EQ(Found["tiny"], ChangeBasis::Small);
  EXPECT_EQ(Found["(no phase)"], ChangeBasis::Unknown);
  // The same as in the tables.
  for (const StepPartChange &Each : Of.Step.Parts)
    if (Each.Basis == ChangeBasis::Mean || Each.Basis == ChangeBasis::Chance) {
      EXPECT_EQ(Each.Row->isSignificant(), isKnown(Each.Basis)) << Each.Name;
    }
}

// Half of the steps run the phase again, so it is in no whole number: a mean
// that fell can't colour the time that grew.
TEST(StepChange, MoreSpansOfAShorterMean) {
  Compared Of(steps(60, "phase some spans=50x9ms,50x11ms\n"),
              steps(60, "phase some spans=75x7ms,75x9ms\n"));
  EXPECT_DOUBLE_EQ(Of.part("some").ns(), 2 * RealMs);
  EXPECT_DOUBLE_EQ(Of.part("some").AfterSpans, 1.5);
  EXPECT_EQ(Of.part("some").Basis, ChangeBasis::Numbers);
  EXPECT_FALSE(isKnown(Of.part("some").Basis));
}

TEST(StepChange, FewStepsProveNoNumberOfSpans) {
  auto Few = [](const char *Spans) {
    return describedRun(
        std::string("wall 9s\nthread main\n  train train spans=8s\n"
                    "    step spans=29x100ms\n      batch "
                    "spans=29x100ms\n        phase p spans=") +
        Spans + "\n");
  };
  Compared Of(Few("29x10ms"), Few("58x10ms"));
  EXPECT_EQ(Of.part("p").Basis, ChangeBasis::Unknown);
}

// A step that hasn't ended is in no figure.
TEST(StepChange, OpenSteps) {
  auto Run = [](const char *Open) {
    std::string Text = "wall 100s\nend running\nthread main\n"
                       "  train train spans=1s%\n    step spans=40x100ms%\n"
                       "      batch spans=40x100ms%\n"
                       "        phase p spans=40x60ms%\n";
    for (size_t At; (At = Text.find('%')) != std::string::npos;)
      Text.replace(At, 1, Open);
    return describedRun(Text);
  };
  Compared Of(Run(""), Run(" open=60s"));
  EXPECT_DOUBLE_EQ(Of.Step.After.MeanNs, 100 * RealMs);
  EXPECT_DOUBLE_EQ(Of.part("p").AfterNs, 60 * RealMs);
  EXPECT_DOUBLE_EQ(Of.path("p").AfterNs, 60 * RealMs);
}

// A validation inside the steps is neither theirs nor one of their paths.
TEST(StepChange, LoopsInsideAreLeftOut) {
  auto Run = [](const char *Valid) {
    return describedRun(
        std::string("wall 100s\nthread main\n  train train spans=90s\n"
                    "    step spans=100x100ms\n"
                    "      batch spans=100x100ms\n"
                    "        phase p spans=100x60ms\n"
                    "        valid valid spans=10x") +
        Valid + "ms\n          step spans=10x" + Valid + "ms\n");
  };
  Compared Of(Run("50"), Run("100"));
  EXPECT_DOUBLE_EQ(Of.Step.Before.MeanNs, 95 * RealMs);
  EXPECT_DOUBLE_EQ(Of.Step.After.MeanNs, 90 * RealMs);
  EXPECT_FALSE(Of.Step.Test); // of the spans, which contain them
  EXPECT_EQ(Of.Step.WhyNoTest,
            "loops run inside the steps, whose own durations aren't recorded; "
            "that takes several runs of each side");
  EXPECT_EQ(Of.Paths.size(), 3U);
}

TEST(StepChange, SeveralRuns) {
  std::vector<loopscope::Run> Before, After;
  for (int Noise : {0, 1, 2}) {
    Before.push_back(steps(100 + Noise, "phase p spans=100x50ms\n"));
    After.push_back(steps(120 + Noise, "phase p spans=100x70ms\n"));
  }
  Compared Of(std::move(Before), std::move(After), DiffTest::Runs);
  EXPECT_EQ(Of.Step.Before.Count, 300U);
  EXPECT_DOUBLE_EQ(Of.Step.Before.MeanNs, 101 * RealMs);
  ASSERT_TRUE(Of.Step.Test);
  EXPECT_NEAR(Of.Step.Test->Percent, 100.0 * 20 / 101, 1e-9);
  EXPECT_TRUE(Of.Step.Test->isSignificant());
  EXPECT_EQ(Of.Step.Test->Corrected, Of.Step.Test->Probability);
}

TEST(StepChange, SaysWhyThereIsNoTest) {
  const std::string Phase = "phase p spans=29x50ms\n";
  auto Few = [&](int Count) {
    return describedRun(
        fmt::format("wall 100s\nthread main\n  train train spans=90s\n"
                    "    step spans={0}x100ms,1x200ms\n      batch "
                    "spans={0}x100ms,1x200ms\n",
                    Count));
  };
  EXPECT_EQ(Compared(Few(28), Few(40)).Step.WhyNoTest,
            "that takes 30 steps on each side, or several runs of each side");
  EXPECT_EQ(Compared(Few(29), Few(40)).Step.WhyNoTest, "");
  EXPECT_EQ(Compared(steps(60, Phase), steps(60, Phase)).Step.WhyNoTest,
            "its values don't vary");
  auto Runs = [&](std::vector<int> StepMs) {
    std::vector<loopscope::Run> All;
    for (int Each : StepMs)
      All.push_back(steps(Each, Phase));
    return All;
  };
  EXPECT_EQ(Compared(Runs({60}), Runs({60, 61}), DiffTest::Runs).Step.WhyNoTest,
            "that takes two runs of each side");
  EXPECT_EQ(
      Compared(Runs({60, 60}), Runs({60, 60}), DiffTest::Runs).Step.WhyNoTest,
      "its values don't vary");
}

TEST(StepChange, Sentences) {
  StepChange Of;
  Of.AreSteps = true;
  Of.WhyNoTest = "that takes two runs of each side";
  EXPECT_EQ(changeSentence(Of), "Whether the mean step changed isn't known: "
                                "that takes two runs of each side.");
  Of.Test.emplace();
  Of.Test->Percent = 9.375;
  Of.Test->LowPercent = -0.5;
  Of.Test->HighPercent = std::numeric_limits<double>::infinity();
  EXPECT_EQ(changeSentence(Of),
            "The change of the mean step, +9.38% (95% interval: -0.500% to no "
            "limit), isn't significant.");
  Of.Test->Corrected = 0.001;
  Of.Test->HighPercent = 123.4;
  Of.AreSteps = false;
  EXPECT_EQ(changeSentence(Of),
            "The mean run changed by +9.38% (95% interval: -0.500% to +123%).");
}

TEST(StepChange, WithoutStepsOnOneSide) {
  std::vector<loopscope::Run> With, Without;
  With.push_back(steps(60, Old));
  Without.push_back(
      describedRun("wall 1s\nthread main\n  phase p spans=600ms\n"));
  Result<ComparedSteps> Of = comparedSteps(With, Without);
  ASSERT_FALSE(Of);
  EXPECT_EQ(Of.error().Message,
            "the side after has no finished step; a mark on the loop over "
            "batches records steps");
  Of = comparedSteps(Without, With);
  ASSERT_FALSE(Of);
  EXPECT_TRUE(Of.error().Message.starts_with("the side before has no"));
}

TEST(StepChange, RunsWithoutSteps) {
  auto Run = [](const char *P) {
    return describedRun(std::string("wall 1s\nthread main\n  phase p spans=") +
                        P + "\n  phase q spans=100ms\n");
  };
  Compared Of(Run("500ms"), Run("600ms"));
  EXPECT_FALSE(Of.Step.AreSteps);
  EXPECT_DOUBLE_EQ(Of.Step.Before.MeanNs, 1000 * RealMs);
  EXPECT_DOUBLE_EQ(Of.part("p").ns(), 100 * RealMs);
  EXPECT_DOUBLE_EQ(Of.part("(no phase)").ns(), -100 * RealMs);
  EXPECT_EQ(Of.Paths.front().Name, "run");
  EXPECT_DOUBLE_EQ(Of.Paths.front().AfterNs, 1000 * RealMs);
}

TEST(StepChange, OtherPartsAreOne) {
  Compared Of(steps(60, Old), steps(75, New));
  std::vector<StepPartChange> Parts = largestParts(Of.Step, 2);
  ASSERT_EQ(Parts.size(), 4U);
  EXPECT_EQ(Parts[2].Name, "(5 other parts)");
  EXPECT_FALSE(isKnown(Parts[2].Basis));
  EXPECT_EQ(Parts[3].Name, "(no phase)");
  double After = 0;
  for (const StepPartChange &Each : Parts)
    After += Each.AfterNs;
  EXPECT_NEAR(After, 75 * RealMs, 1);
  EXPECT_EQ(largestParts(Of.Step, 7).size(), Of.Step.Parts.size());
}

TEST(PathChanges, BothSidesAreOneTree) {
  Compared Of(steps(60, Old), steps(75, New));
  EXPECT_DOUBLE_EQ(Of.Paths.front().BeforeNs, 60 * RealMs);
  EXPECT_DOUBLE_EQ(Of.Paths.front().AfterNs, 75 * RealMs);
  std::map<std::string, double> Changes;
  for (size_t I = 1; I < Of.Paths.size(); ++I) {
    ASSERT_LT(Of.Paths[I].Parent, I);
    Changes[Of.Paths[I].Name] = Of.Paths[I].ns();
  }
  EXPECT_EQ(Changes.size(), 9U);
  EXPECT_DOUBLE_EQ(Changes["batch"], 15 * RealMs);
  EXPECT_DOUBLE_EQ(Changes["deep"], 10 * RealMs);
  EXPECT_DOUBLE_EQ(Changes["old"], -3 * RealMs);
  EXPECT_DOUBLE_EQ(Changes["young"], 5 * RealMs);
  EXPECT_EQ(Of.Paths[Of.path("deep").Parent].Name, "slow");
  // As the tables say; functions, which they lack, by tests of their own.
  EXPECT_EQ(Of.path("noisy").Basis, ChangeBasis::Chance);
  EXPECT_EQ(Of.path("slow").Basis, ChangeBasis::Mean);
  EXPECT_EQ(Of.path("deep").Row, nullptr);
  EXPECT_EQ(Of.path("deep").Basis, ChangeBasis::Mean);
  EXPECT_NEAR(Of.path("deep").test()->Percent, 200, 1e-9);
}

// A name on the other kind of path, or below another one, is another path.
TEST(PathChanges, KindsAndParentsTellPathsApart) {
  Compared Of(steps(60, "phase a spans=100x9ms\n  phase b spans=100x4ms\n"),
              steps(60, "phase b spans=100x4ms\n  function a spans=100x2ms\n"));
  EXPECT_EQ(Of.Paths.size(), 6U);
  for (size_t I = 2; I < Of.Paths.size(); ++I)
    EXPECT_TRUE(Of.Paths[I].Basis == ChangeBasis::New ||
                Of.Paths[I].Basis == ChangeBasis::Gone);
}

TEST(PathChanges, TheLongestAreKept) {
  Compared Of(steps(60, Old), steps(75, New));
  std::vector<PathChange> Paths = Of.Paths;
  EXPECT_EQ(keepLongestPaths(Paths, Paths.size()), 0U);
  EXPECT_EQ(keepLongestPaths(Paths, 4), Of.Paths.size() - 4);
  ASSERT_EQ(Paths.size(), 4U);
  EXPECT_EQ(Paths[2].Name, "slow");
  EXPECT_EQ(Paths[2].Parent, 1U);
  EXPECT_EQ(Paths[3].Name, "deep");
  EXPECT_EQ(Paths[3].Parent, 2U);
}

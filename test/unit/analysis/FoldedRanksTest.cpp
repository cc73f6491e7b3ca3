// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of ranks whose plain phases are folded as they are read, against those
// of whole runs, for random profiles.

#include "Analysis/Ranks/FoldedRanks.h"
#include "DescribedRun.h"
#include "Report/Print/Printers.h"
#include "Report/Views/BuildSection.h"
#include "Run/Combine/Merge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

using namespace loopscope;

namespace {
// Describes ranks of one program that differ in everything that ranks may
// differ in: which phases they come to, how long these take, and what the
// kernel says about them.
class RandomRanks {
public:
  explicit RandomRanks(unsigned Seed) : Random(Seed) {}

  std::vector<Run> make() {
    int Ranks = number(2, 6);
    HasCpu = chance(60);
    HasAmounts = chance(10);
    for (std::string &Each : KindOf)
      Each = chance(90)   ? "phase"
             : chance(40) ? "wait"
             : chance(40) ? "collective"
                          : "function";
    std::vector<Run> Result;
    for (int Rank = 0; Rank < Ranks; ++Rank)
      Result.push_back(describedRun(describe(Rank, Ranks)));
    std::shuffle(Result.begin(), Result.end(), Random);
    return Result;
  }

private:
  int number(int From, int To) {
    return std::uniform_int_distribution<int>(From, To)(Random);
  }
  bool chance(int Percent) { return number(1, 100) <= Percent; }

  std::string cpuOf(int64_t Ns) {
    if (!HasCpu || !chance(70))
      return {};
    int64_t Part = Ns / 100 * number(0, 100);
    std::string Text =
        fmt::format(" cpu={}ns minor={} voluntary={} involuntary={}", Part,
                    number(0, 3), number(0, 3), number(0, 1));
    if (chance(40))
      Text += fmt::format(" starved={}ns", (Ns - Part) / 100 * number(0, 100));
    return Text;
  }

  void line(int Depth, const std::string &Text) {
    Out += std::string(static_cast<size_t>(Depth) * 2, ' ') + Text + '\n';
  }

  // Phases below a node of NS nanoseconds, of which they take most.
  void phases(int Depth, int64_t Ns) {
    int Count = number(2, 6);
    for (int I = 0; I < Count; ++I) {
      int Calls = number(1, 5);
      // At times, more than the node around it has.
      int64_t Each =
          std::max<int64_t>(1, Ns / (Count + !chance(3)) / (Calls + 1));
      const std::string &Kind = KindOf[static_cast<size_t>(Depth * 7 + I)];
      std::string Text = fmt::format("{0} {0}{1} line={2} spans={3}x{4}ns",
                                     Kind, I, 10 + I, Calls, Each);
      if (chance(50))
        Text += fmt::format(",1x{}ns", Each / 2 + 1);
      Text += cpuOf(Each * Calls);
      if (chance(2))
        Text += fmt::format(" key=layer:{}", number(0, 3));
      if (chance(1))
        Text += " popped=1";
      if (HasAmounts && chance(10))
        Text += fmt::format(" amount.flops={}", number(1, 9));
      line(Depth, Text);
      if (Depth < 9 && chance(30))
        phases(Depth + 1, Each * Calls);
    }
  }

  void loop(int Depth, const char *Kind, int64_t Ns) {
    int Steps = number(1, 20);
    int64_t Step = Ns / Steps;
    line(Depth, fmt::format("{0} {0} line={1} spans=1x{2}ns{3}", Kind,
                            Kind[0] == 't' ? 1 : 2, Ns, cpuOf(Ns)));
    for (bool Warmup : {true, false}) {
      if (Warmup && !chance(30))
        continue;
      const char *Word = Warmup ? " warmup" : "";
      line(Depth + 1, fmt::format("step spans={}x{}ns samples={}{}{}", Steps,
                                  Step, 4 * Steps, Word, cpuOf(Step * Steps)));
      line(Depth + 2, fmt::format("draw spans={}x{}ns", Steps, Step / 10));
      if (chance(20))
        phases(Depth + 3, Step * Steps / 10);
      line(Depth + 2,
           fmt::format("batch spans={}x{}ns{}", Steps, Step - Step / 10,
                       cpuOf((Step - Step / 10) * Steps)));
      phases(Depth + 3, (Step - Step / 10) * Steps);
    }
  }

  std::string describe(int Rank, int Ranks) {
    Out = fmt::format("rank {} of {}\nhost node{}\nwall {}ms\nhook {} 10\n"
                      "started 1000s 500s\nprogram train\nthread main\n",
                      Rank, Ranks, Rank / 2, number(900, 1100), number(0, 20));
    int64_t Ns = number(1'000'000, 800'000'000);
    bool HasStage = chance(30);
    if (HasStage)
      line(1, fmt::format("fit fit spans=1x{}ns", Ns + 1000));
    loop(HasStage ? 2 : 1, "train", Ns);
    if (chance(30))
      loop(1, "valid", number(100'000, 90'000'000));
    if (chance(30))
      phases(1, 50'000'000);
    if (chance(20)) {
      Out += fmt::format("thread worker{} lived=800ms\n", number(1, 2));
      loop(1, "train", number(100'000, 700'000'000));
    }
    return Out;
  }

  std::mt19937 Random;
  std::string Out;
  bool HasCpu = false, HasAmounts = false;
  std::array<std::string, 70> KindOf; // by depth and number
};

std::string textOf(const std::vector<Run> &Ranks, const View &Which,
                   const ViewOptions &Options) {
  Merger Merging(Which, Options);
  for (const Run &Each : Ranks)
    if (std::optional<Error> Why = Merging.add(Each))
      return Why->Message;
  Result<Section> All = Merging.finish();
  return All ? print({std::move(*All)}, Options.Output, Options.Bare, {})
             : All.error().Message;
}

size_t nodesIn(const std::vector<Run> &All) {
  size_t Sum = 0;
  for (const Run &Each : All)
    Sum += Each.Nodes.size();
  return Sum;
}
} // namespace

TEST(FoldedRanks, ViewsAreThoseOfWholeRuns) {
  size_t Folded = 0;
  for (unsigned Seed = 1; Seed <= 40; ++Seed) {
    std::vector<loopscope::Run> Ranks = RandomRanks(Seed).make();
    for (const View *Each : allViews()) {
      if (Each->Phases == PhasesOfRanks::Apart)
        continue;
      View Whole = *Each;
      Whole.Phases = PhasesOfRanks::Apart;
      for (Format As : {Format::Text, Format::Csv, Format::Json}) {
        ViewOptions Options;
        Options.Merged = true;
        Options.Output = As;
        Options.Stats = Seed % 2 == 0;
        Options.Rows = 0;
        ASSERT_EQ(textOf(Ranks, *Each, Options), textOf(Ranks, Whole, Options))
            << Each->Name << ", seed " << Seed;
      }
    }
    size_t Nodes = nodesIn(Ranks);
    RankFolder Folder;
    std::vector<loopscope::Run> Kept;
    for (loopscope::Run &Each : Ranks)
      Folder.add(std::move(Each), Kept);
    Folded += Nodes - nodesIn(Kept);
  }
  // Else, nothing was compared.
  EXPECT_GT(Folded, 100u);
}

// A rank doesn't grow with its plain phases, and the first one has the sums of
// all.
TEST(FoldedRanks, OneRankHoldsTheSums) {
  auto Rank = [](int Number, int Phases) {
    std::string Text = fmt::format(
        "rank {} of 3\nwall 1s\nthread main\n  train line=1 spans=1x900ms\n"
        "    step spans=9x100ms\n      draw spans=9x1ms\n"
        "      batch spans=9x99ms\n",
        Number);
    for (int I = 0; I < Phases; ++I)
      Text +=
          fmt::format("        phase p{} line=2 spans=9x{}us\n", I, Number + 1);
    return describedRun(Text);
  };
  RankFolder Folder;
  std::vector<loopscope::Run> Kept;
  for (int Number = 0; Number < 3; ++Number)
    Folder.add(Rank(Number, 100 + Number), Kept);
  ASSERT_EQ(Kept.size(), 3u);
  EXPECT_EQ(Kept[0].Nodes.size(), 105u);
  // The loop, its step and its parts; and the phase that is new.
  EXPECT_EQ(Kept[1].Nodes.size(), 6u);
  EXPECT_EQ(Kept[2].Nodes.size(), 6u);
  EXPECT_EQ(Kept[1].Sites.size(), 2u);
  const Node &First = Kept[0].Nodes[5];
  EXPECT_EQ(Kept[0].nameOf(First), "p0");
  EXPECT_EQ(First.Spans.count(), 27u);
  EXPECT_EQ(First.FinishedNs, 9 * (1000 + 2000 + 3000));
  EXPECT_EQ(First.Spans.maxNs(), 3000);
  EXPECT_EQ(mergeProfiles(std::move(Kept)).Nodes.size(), 117u);
}

// A rank that was killed at its start has neither sites nor nodes.
TEST(FoldedRanks, TheFirstRankMayBeEmpty) {
  std::vector<loopscope::Run> Kept;
  RankFolder Folder;
  Folder.add(describedRun("rank 0 of 3\nwall 1s\nthread main\n"), Kept);
  for (int Rank = 1; Rank < 3; ++Rank)
    Folder.add(describedRun(fmt::format(
                   "rank {} of 3\nwall 1s\nthread main\n"
                   "  train line=1 spans=1x900ms\n    step spans=9x100ms\n"
                   "      draw spans=9x1ms\n      batch spans=9x99ms\n"
                   "        phase a line=2 spans=9x2us\n"
                   "        phase b line=3 spans=9x3us\n",
                   Rank)),
               Kept);
  ASSERT_EQ(Kept.size(), 3u);
  EXPECT_EQ(Kept[0].Nodes.size(), 1u);
  ASSERT_EQ(Kept[1].Nodes.size(), 7u);
  EXPECT_EQ(Kept[1].Nodes[5].Spans.count(), 18u);
  EXPECT_EQ(Kept[2].Nodes.size(), 5u);
}

// A damaged file may say anything of times.
TEST(FoldedRanks, AnyTimesAreWithinTheirParents) {
  auto Rank = [](int Number, int64_t Outer, int64_t Inner) {
    loopscope::Run Result = describedRun(
        fmt::format("rank {} of 3\nwall 1s\nthread main\n"
                    "  train line=1 spans=1x900ms\n    step spans=9x100ms\n"
                    "      draw spans=9x1ms\n      batch spans=9x99ms\n"
                    "        phase a line=2 spans=9x2us\n"
                    "          phase b line=3 spans=9x1us\n",
                    Number));
    Result.Nodes[5].InclusiveNs = Outer;
    Result.Nodes[6].InclusiveNs = Inner;
    return Result;
  };
  std::vector<loopscope::Run> Kept;
  RankFolder Folder;
  Folder.add(Rank(0, 18000, 9000), Kept);
  Folder.add(Rank(1, INT64_MAX, 1), Kept);
  Folder.add(Rank(2, 18000, INT64_MAX), Kept);
  EXPECT_EQ(Kept[0].Nodes[5].InclusiveNs, INT64_MAX);
  EXPECT_EQ(Kept[1].Nodes.size(), 5u);
  EXPECT_EQ(Kept[2].Nodes.size(),
            6u); // the outer one is shorter than what it has
}

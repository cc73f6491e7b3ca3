// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a run: for any program and any moments, the parts add up to the run,
// and each has what was recorded in its time.

#include "Fixture.h"
#include "Random.h"

#include "Run/Read/ProfileReader.h"
#include "profile/profile_file.h"
#include "tree/schedule.h"

#include <loopscope/named_losses.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>

using namespace loopscope::runtime;

namespace {
using Model = std::map<std::string, ReferenceNode>;

/// What a profile has of a call path.
struct Figures {
  uint64_t Count = 0;
  int64_t InclusiveNs = 0;
  uint64_t Samples = 0;
  uint64_t Rates = 0;
  const loopscope::Node *Node = nullptr;
};

std::map<std::string, Figures> figuresOf(const loopscope::Run &R) {
  std::map<std::string, Figures> Result;
  for (const loopscope::Node &N : R.Nodes)
    if (N.Parent != loopscope::None)
      Result[pathOf(R, N)] = {N.Spans.count(), N.InclusiveNs, N.Samples,
                              N.RateCount, &N};
  return Result;
}

class ResetTest : public RuntimeTest {
protected:
  const loopscope_site *Loop = site("train", LOOPSCOPE_KIND_TRAIN);

  ResetTest() { StepSchedule.WarmupSteps = 0; }

  /// For readers of the parts, a tick is a nanosecond, too.
  static void reset() {
    if (Header != nullptr) {
      Header->clock_kind = LOOPSCOPE_CLOCK_MONOTONIC;
      Header->start_ticks = 1000;
      Header->hook_inside_ticks1024 = 0;
      Header->hook_outside_ticks1024 = 0;
    }
    loopscope_reset();
  }

  static void phase(const char *Name, uint64_t Ticks) {
    loopscope_token P = loopscope_enter(site(Name));
    advance(Ticks);
    loopscope_leave(P);
  }

  /// The file of part NUMBER of the profile at PATH.
  static std::string partFile(const std::string &Path, unsigned Number) {
    return Path.substr(0, Path.rfind('.')) + ".part" + std::to_string(Number) +
           ".loopscope";
  }

  static loopscope::Run read(const std::string &Path) {
    auto P = loopscope::readProfile(Path, loopscope::WithTimeline::Yes);
    EXPECT_TRUE(static_cast<bool>(P)) << Path;
    if (!P)
      return {};
    EXPECT_EQ(P->Lost.BadRecords, 0U) << Path;
    EXPECT_EQ(P->Lost.TornNodes, 0U) << Path;
    return std::move(*P);
  }

  /// The file as it is, with all that came before.
  static loopscope::Run readWhole(const std::string &Path) {
    std::ifstream File(Path, std::ios::binary);
    std::vector<char> Bytes{std::istreambuf_iterator<char>(File), {}};
    auto P = loopscope::readProfile(std::as_bytes(std::span(Bytes)), Path);
    EXPECT_TRUE(static_cast<bool>(P)) << Path;
    return P ? std::move(*P) : loopscope::Run();
  }
};

class RandomResetTest : public ResetTest,
                        public testing::WithParamInterface<int> {
protected:
  RandomProgram Program{static_cast<unsigned>(GetParam()),
                        [](const std::string &Name, loopscope_kind Kind) {
                          return site(Name, Kind);
                        }};
  std::vector<Model> At; // the reference at each reset, and at the end
  std::string Path;

  void SetUp() override {
    StepSchedule.WarmupSteps = RandomProgram::WarmupSteps;
    Program.resetSometimes(40, [&] {
      if (Header == nullptr || At.size() == 100)
        return;
      reset();
      At.push_back(Program.expected().nodes());
    });
    Program.run(300);
    At.push_back(Program.expected().nodes());
    Path = finish();
  }

  std::string fileOf(size_t Part) {
    return Part + 1 == At.size()
               ? Path
               : partFile(Path, static_cast<unsigned>(Part) + 1);
  }
};

TEST_P(RandomResetTest, ThePartsAddUpToTheRun) {
  std::map<std::string, Figures> Sum;
  for (size_t Part = 0; Part < At.size(); ++Part) {
    loopscope::Run R = read(fileOf(Part));
    EXPECT_EQ(R.Parts.Number, At.size() == 1 ? 0U : Part + 1);
    for (const auto &[Name, Its] : figuresOf(R)) {
      Figures &To = Sum[Name];
      To.Count += Its.Count;
      To.InclusiveNs += Its.InclusiveNs;
      To.Samples += Its.Samples;
      To.Rates += Its.Rates;
    }
  }
  for (const auto &[Name, Expected] : At.back()) {
    SCOPED_TRACE(Name);
    EXPECT_EQ(Sum[Name].Count, Expected.Durations.size());
    uint64_t All = std::accumulate(Expected.Durations.begin(),
                                   Expected.Durations.end(), uint64_t(0));
    EXPECT_EQ(Sum[Name].InclusiveNs,
              static_cast<int64_t>(All + Expected.Uncounted));
    EXPECT_EQ(Sum[Name].Rates, Expected.Rates.size());
    if (Name.ends_with("step") || Name.ends_with("step*")) {
      EXPECT_EQ(Sum[Name].Samples, Expected.Samples);
    }
  }
}

// What the whole file of each moment has, read as that of a running program,
// less what that of the moment before has.
TEST_P(RandomResetTest, EachPartHasTheTimeBetween) {
  std::map<std::string, Figures> Before;
  int64_t WallBefore = 0;
  for (size_t Part = 0; Part < At.size(); ++Part) {
    loopscope::Run Whole = readWhole(fileOf(Part));
    loopscope::Run R = read(fileOf(Part));
    std::map<std::string, Figures> Its = figuresOf(R);
    for (const auto &[Name, Now] : figuresOf(Whole)) {
      SCOPED_TRACE(Name);
      EXPECT_EQ(Its[Name].InclusiveNs,
                Now.InclusiveNs - Before[Name].InclusiveNs);
      EXPECT_EQ(Its[Name].Count, Now.Count - Before[Name].Count);
    }
    EXPECT_EQ(R.WallNs, Whole.WallNs - WallBefore);
    WallBefore = Whole.WallNs;
    Before = figuresOf(Whole);
  }
}

// Where no span was open at the part's begin, its distribution is the
// reference's, with the histogram's accuracy.
TEST_P(RandomResetTest, DistributionsAreThoseOfTheSpansThatEnded) {
  Model Before;
  size_t Checked = 0;
  for (size_t Part = 0; Part < At.size(); ++Part) {
    loopscope::Run R = read(fileOf(Part));
    std::map<std::string, Figures> Its = figuresOf(R);
    for (const auto &[Name, Now] : At[Part]) {
      SCOPED_TRACE(Name);
      std::vector<uint64_t> Durations(
          Now.Durations.begin() +
              static_cast<ptrdiff_t>(Before[Name].Durations.size()),
          Now.Durations.end());
      uint64_t Sum =
          std::accumulate(Durations.begin(), Durations.end(), uint64_t(0));
      if (Durations.empty() ||
          Its[Name].Node->FinishedNs != static_cast<int64_t>(Sum))
        continue;
      ++Checked;
      const loopscope::Moments &Spans = Its[Name].Node->Spans;
      auto [Least, Most] =
          std::minmax_element(Durations.begin(), Durations.end());
      EXPECT_NEAR(Spans.minNs(), static_cast<double>(*Least),
                  static_cast<double>(*Least) / 8);
      EXPECT_NEAR(Spans.maxNs(), static_cast<double>(*Most),
                  static_cast<double>(*Most) / 8);
      double Mean = static_cast<double>(Sum) / Durations.size();
      double Squares = 0;
      for (uint64_t Each : Durations)
        Squares += (Each - Mean) * (Each - Mean);
      double Deviation = std::sqrt(Squares / Durations.size());
      EXPECT_NEAR(Spans.deviationNs(), Deviation, 1e-6 * Mean + 1e-6);
      std::sort(Durations.begin(), Durations.end());
      auto Median = static_cast<double>(Durations[(Durations.size() - 1) / 2]);
      EXPECT_NEAR(Spans.percentileNs(0.5), Median, Median / 16);
    }
    Before = At[Part];
  }
  EXPECT_GT(Checked, 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomResetTest, testing::Range(0, 60));

TEST_F(ResetTest, ASpanCountsWhereItEndsAndItsTimeIsWhereItWas) {
  loopscope_token P = loopscope_enter(site("outer"));
  phase("inner", 10);
  advance(5);
  reset();
  phase("inner", 30);
  loopscope_leave(P);
  std::string Path = finish();
  loopscope::Run First = read(partFile(Path, 1));
  loopscope::Run Second = read(Path);
  std::map<std::string, Figures> A = figuresOf(First);
  std::map<std::string, Figures> B = figuresOf(Second);
  EXPECT_EQ(A["outer"].Count, 0U);
  EXPECT_EQ(A["outer"].InclusiveNs, 15);
  EXPECT_EQ(B["outer"].Count, 1U);
  EXPECT_EQ(B["outer"].InclusiveNs, 30);
  EXPECT_EQ(B["outer"].Node->Spans.maxNs(), 30);
  EXPECT_EQ(B["outer/inner"].Node->Spans.minNs(), 30);
  EXPECT_EQ(First.Ended, loopscope::End::Reset);
  EXPECT_EQ(Second.Parts.SpansAcross, 1U);
  EXPECT_EQ(Second.Parts.BeganNs, 15);
  EXPECT_EQ(Second.WallNs, 30);
}

TEST_F(ResetTest, WhatIsOverIsntThereAnyMore) {
  phase("warm-up", 10);
  reset();
  phase("work", 10);
  loopscope::Run R = read(finish());
  std::map<std::string, Figures> Its = figuresOf(R);
  EXPECT_FALSE(Its.contains("warm-up"));
  EXPECT_TRUE(Its.contains("work"));
}

TEST_F(ResetTest, ThreadsOfThePartBeforeAreTakenOut) {
  std::thread([] { phase("elsewhere", 10); }).join();
  phase("here", 1);
  reset();
  std::thread([] { phase("elsewhere", 100); }).join(); // of the same tree
  loopscope::Run R = read(finish());
  ASSERT_EQ(R.Threads.size(), 2U);
  EXPECT_EQ(figuresOf(R)["elsewhere"].InclusiveNs, 100);
  for (const loopscope::Thread &T : R.Threads) {
    EXPECT_EQ(T.Users, 1U);
    EXPECT_EQ(T.LifetimeNs, 100);
  }
}

TEST_F(ResetTest, AmountsOfAnOpenSpanAreInThePartInWhichItEnds) {
  loopscope_token P = loopscope_enter(site("work"));
  loopscope_flops(P, 7);
  loopscope_leave(P);
  P = loopscope_enter(site("work"));
  loopscope_flops(P, 100);
  reset();
  loopscope_leave(P);
  std::string Path = finish();
  auto Flops = [](const loopscope::Run &Of) {
    return figuresOf(Of)["work"].Node->Amounts[loopscope::SpanAmount::Flops];
  };
  EXPECT_EQ(Flops(read(partFile(Path, 1))).Sum, 7);
  loopscope::GivenAmount Second = Flops(read(Path));
  EXPECT_EQ(Second.Sum, 100);
  EXPECT_EQ(Second.Spans, 1U);
}

TEST_F(ResetTest, ValuesAndRangesAreDivided) {
  phase("work", 1);
  uint64_t Across = loopscope_range_begin("request");
  uint64_t Range = loopscope_range_begin("request");
  advance(10);
  loopscope_range_end(Range);
  loopscope_value("loss", 3);
  reset();
  advance(5);
  loopscope_value("loss", 1);
  loopscope_value("loss", 2);
  loopscope_range_end(Across);
  std::string Path = finish();
  loopscope::Run First = read(partFile(Path, 1));
  loopscope::Run Second = read(Path);
  ASSERT_EQ(First.Values.size(), 1U);
  ASSERT_EQ(Second.Values.size(), 1U);
  EXPECT_EQ(First.Values[0].All.Count, 1U);
  EXPECT_EQ(Second.Values[0].All.Count, 2U);
  EXPECT_EQ(Second.Values[0].All.Sum, 3);
  ASSERT_EQ(Second.Ranges.size(), 1U);
  EXPECT_EQ(First.Ranges[0].Count, 1U);
  EXPECT_EQ(First.Ranges[0].OpenNs, 10);
  EXPECT_EQ(Second.Ranges[0].Count, 1U);
  EXPECT_EQ(Second.Ranges[0].Ns, 5);
}

// A part that isn't where it was, or that is another run's.
TEST_F(ResetTest, WithoutThePartBeforeTheRunIsWhole) {
  phase("work", 10);
  reset();
  phase("work", 20);
  std::string Path = finish();
  std::string Part = partFile(Path, 1);
  std::rename(Part.c_str(), (Part + ".away").c_str());
  loopscope::Run R = read(Path);
  EXPECT_EQ(figuresOf(R)["work"].Count, 2U);
  EXPECT_FALSE(R.Parts.IsDivided);
  EXPECT_EQ(R.Parts.WhyWhole, Part + " isn't there");
  std::ifstream From(Path, std::ios::binary);
  std::ofstream(Part, std::ios::binary) << From.rdbuf();
  R = read(Path);
  EXPECT_EQ(figuresOf(R)["work"].Count, 2U);
  EXPECT_EQ(R.Parts.WhyWhole, Part + " isn't the part before it");
}

TEST_F(ResetTest, BeforeAnythingIsRecordedNothingHappens) {
  reset();
  EXPECT_EQ(Header, nullptr);
  phase("work", 10);
  EXPECT_EQ(read(finish()).Parts.Number, 0U);
}

TEST_F(ResetTest, ARunHasALimitOfParts) {
  for (unsigned I = 0; I <= LOOPSCOPE_PARTS_BEFORE; ++I) {
    phase("work", 1);
    reset();
  }
  phase("work", 1);
  loopscope::Run R = read(finish());
  EXPECT_EQ(R.Parts.Number, LOOPSCOPE_PARTS_BEFORE + 1);
  EXPECT_EQ(figuresOf(R)["work"].Count, 2U);
  EXPECT_EQ(R.Lost.Named[LOOPSCOPE_COUNT_RESETS_REFUSED], 1U);
}
} // namespace

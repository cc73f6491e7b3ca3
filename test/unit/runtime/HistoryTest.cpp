// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The history's bins against what the program did, by a clock that the tests
// set.

#include "Fixture.h"

#include "history/bins.h"
#include "history/extension.h"
#include "profile/profile_file.h"
#include "tree/schedule.h"

#include "Run/Read/MergedFile.h"
#include "Run/Read/ProfileReader.h"

#include <loopscope/named_losses.h>

#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <utility>

using namespace loopscope::runtime;

namespace {
class HistoryTest : public RuntimeTest {
protected:
  HistoryTest() {
    StepSchedule.WarmupSteps = 0;
    TicksPerSecond = 1'000'000'000;
    HistoryExtension.BackgroundStarted();
  }
  ~HistoryTest() override { HistoryExtension.ChildOfFork(); }

  // What the background thread does.
  static void look() { HistoryExtension.Timed(); }

  static void run(const std::string &Name, uint64_t Ticks,
                  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE) {
    loopscope_token T = loopscope_enter(site(Name, Kind));
    advance(Ticks);
    loopscope_leave(T);
  }

  // A profile's bytes, with a tick as a nanosecond.
  static std::string fileBytes(const std::string &Path) {
    std::ifstream File(Path, std::ios::binary);
    std::string Bytes(std::istreambuf_iterator<char>(File), {});
    reinterpret_cast<loopscope_profile_header *>(Bytes.data())->clock_kind =
        LOOPSCOPE_CLOCK_MONOTONIC;
    return Bytes;
  }

  static std::span<const std::byte> spanOf(const std::string &Bytes) {
    return std::as_bytes(std::span(Bytes.data(), Bytes.size()));
  }

  static loopscope::Run read(const std::string &Bytes) {
    return *loopscope::readProfile(spanOf(Bytes), "p",
                                   loopscope::WithTimeline::No);
  }
  static loopscope::Run read() { return read(fileBytes(finish())); }

  // The same from a merged file.
  static loopscope::Run readCopy(const std::string &Bytes) {
    std::string Path = std::string(profilePath()) + ".merged";
    std::ofstream(Path, std::ios::binary)
        << loopscope::mergedFile({spanOf(Bytes)});
    return *loopscope::readProfile(loopscope::memberPaths(Path)->front(),
                                   loopscope::WithTimeline::No);
  }

  // All places of a kind of record in the profile that is being written.
  template <typename Record>
  static std::vector<Record *> placesOf(loopscope_chunk_type Type) {
    std::vector<Record *> Places;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
      for (uint32_t I = 0; C->type == Type && I < C->used; ++I)
        Places.push_back(reinterpret_cast<Record *>(entries(C)) + I);
    return Places;
  }

  static const loopscope::HistoryLane &laneOf(const loopscope::Run &R,
                                              loopscope_kind Kind,
                                              const std::string &Name = {}) {
    for (const loopscope::HistoryLane &Each : R.Histories.at(0).Lanes)
      if (Each.Kind == Kind &&
          (Name.empty() || R.Sites[Each.Site].Name == Name))
        return Each;
    ADD_FAILURE() << "no lane " << Name;
    static const loopscope::HistoryLane None;
    return None;
  }

  static void checkSums(const loopscope::Run &R) {
    for (const loopscope::HistoryLane &Each : R.Histories.at(0).Lanes) {
      int64_t Ns = 0;
      uint64_t Steps = 0;
      for (int64_t Bin : Each.Ns) {
        EXPECT_GE(Bin, 0);
        Ns += Bin;
      }
      for (const loopscope::HistorySteps &Bin : Each.Steps)
        Steps += Bin.Steps;
      int64_t TreeNs = 0;
      uint64_t TreeSteps = 0;
      for (uint32_t N : Each.Nodes) {
        TreeNs += R.Nodes[N].InclusiveNs;
        TreeSteps += R.Nodes[N].Spans.count();
      }
      EXPECT_EQ(Ns, TreeNs);
      EXPECT_EQ(Steps, Each.Kind == LOOPSCOPE_KIND_STEP ? TreeSteps : 0);
    }
  }
};
} // namespace

// Each bin has what happened since the one before it.
TEST_F(HistoryTest, BinsOfTwoLooks) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Look = 0; Look < 2; ++Look) {
    for (int Step = 0; Step < 3 + Look; ++Step) {
      advance(5'000'000);
      loopscope_token S = loopscope_step_begin(L);
      run("forward", 10'000'000);
      loopscope_step_end(S);
    }
    look();
  }
  loopscope_leave(L);
  loopscope::Run R = read();
  const loopscope::HistoryLane &Steps = laneOf(R, LOOPSCOPE_KIND_STEP);
  ASSERT_EQ(Steps.Ns.size(), 2u);
  EXPECT_EQ(Steps.Ns[0], 45'000'000);
  EXPECT_EQ(Steps.Ns[1], 60'000'000);
  EXPECT_EQ(Steps.Steps[0].Steps, 3u);
  EXPECT_EQ(Steps.Steps[1].Steps, 4u);
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_DRAW).Ns[0], 15'000'000);
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_PHASE, "forward").Ns[1], 40'000'000);
  checkSums(R);
}

// A step that is still open is in the bins that it lies in: a hang is time
// without steps.
TEST_F(HistoryTest, LongStep) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  loopscope_token S = loopscope_step_begin(L);
  loopscope_token T = loopscope_enter(site("hang"));
  for (int Look = 0; Look < 100; ++Look) {
    advance(20'000'000);
    look();
  }
  loopscope_leave(T);
  loopscope_step_end(S);
  loopscope_leave(L);
  loopscope::Run R = read();
  const loopscope::HistoryLane &Steps = laneOf(R, LOOPSCOPE_KIND_STEP);
  const loopscope::HistoryLane &Hang = laneOf(R, LOOPSCOPE_KIND_PHASE, "hang");
  ASSERT_EQ(Steps.Ns.size(), 100u);
  for (size_t Bin = 0; Bin < 100; ++Bin) {
    EXPECT_EQ(Steps.Ns[Bin], 20'000'000);
    EXPECT_EQ(Hang.Ns[Bin], 20'000'000);
    EXPECT_EQ(Steps.Steps[Bin].Steps, Bin == 99 ? 1u : 0u);
  }
  checkSums(R);
}

// While an explicit draw runs, the phase that it interrupts stands still.
TEST_F(HistoryTest, ExplicitDraw) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  loopscope_token S = loopscope_step_begin(L);
  loopscope_token T = loopscope_enter(site("forward"));
  advance(10'000'000);
  look();
  loopscope_token D = loopscope_draw_enter(site("fetch", LOOPSCOPE_KIND_DRAW));
  advance(30'000'000);
  look();
  loopscope_leave(D);
  advance(20'000'000);
  look();
  loopscope_leave(T);
  loopscope_step_end(S);
  loopscope_leave(L);
  loopscope::Run R = read();
  using Ns = std::vector<int64_t>;
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_PHASE, "forward").Ns,
            (Ns{10'000'000, 0, 20'000'000}));
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_DRAW).Ns, (Ns{0, 30'000'000, 0}));
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_STEP).Ns,
            (Ns{10'000'000, 30'000'000, 20'000'000}));
  checkSums(R);
}

// The first steps are often much longer than the others. Each step is in the
// bucket of its duration, also where the loop's buckets begin lower than at
// first.
TEST_F(HistoryTest, StepsGetShorter) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (uint64_t Ticks : {64'000'000U, 8'000'000U, 1'000'000U, 2'000'000U})
    for (int Look = 0; Look < 2; ++Look) {
      for (int Step = 0; Step < 20; ++Step) {
        loopscope_token S = loopscope_step_begin(L);
        run("forward", Ticks);
        loopscope_step_end(S);
      }
      look();
    }
  loopscope_leave(L);
  loopscope::Run R = read();
  const loopscope::HistoryLane &Steps = laneOf(R, LOOPSCOPE_KIND_STEP);
  ASSERT_EQ(Steps.Steps.size(), 8u);
  const double Ns[] = {64e6, 64e6, 8e6, 8e6, 1e6, 1e6, 2e6, 2e6};
  for (size_t Bin = 0; Bin < 8; ++Bin) {
    size_t Bucket = 0;
    while (Bucket + 1 < LOOPSCOPE_HISTORY_BUCKETS &&
           Steps.EdgesNs[Bucket + 1] <= Ns[Bin])
      ++Bucket;
    EXPECT_LE(Steps.EdgesNs[Bucket], Ns[Bin]);
    EXPECT_EQ(Steps.Steps[Bin].Buckets[Bucket], 20u);
    EXPECT_NEAR(Steps.Steps[Bin].LongestNs, Ns[Bin], Ns[Bin] / 16);
  }
}

// When all bins are used, neighbours are merged; a long run has as many.
TEST_F(HistoryTest, BinsAreMerged) {
  constexpr int Looks = 10'000;
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Look = 0; Look < Looks; ++Look) {
    loopscope_token S = loopscope_step_begin(L);
    run("forward", 10'000'000);
    loopscope_step_end(S);
    look();
  }
  loopscope_leave(L);
  loopscope::Run R = read();
  const loopscope::HistoryLane &Steps = laneOf(R, LOOPSCOPE_KIND_STEP);
  // 10,000 looks: bins of 16, all but the last.
  ASSERT_EQ(Steps.Ns.size(), 625u);
  for (size_t Bin = 0; Bin < 625; ++Bin) {
    EXPECT_EQ(Steps.Ns[Bin], 160'000'000);
    EXPECT_EQ(Steps.Steps[Bin].Steps, 16u);
  }
  checkSums(R);
}

// A process that is killed while bins are merged loses none: whatever of them
// is written, steps first as fold() does, the file has the same history, and so
// has its copy in a merged file.
TEST_F(HistoryTest, KilledInAMerge) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (uint32_t Look = 0; Look < LOOPSCOPE_HISTORY_BINS; ++Look) {
    loopscope_token S = loopscope_step_begin(L);
    advance(10'000'000);
    loopscope_step_end(S);
    look();
  }
  // Steps fill all bins.
  auto Check = [](const loopscope::Run &R) {
    const loopscope::RunHistory &H = R.Histories.at(0);
    const loopscope::HistoryLane &Steps = laneOf(R, LOOPSCOPE_KIND_STEP);
    EXPECT_GE(H.Bins.size(), LOOPSCOPE_HISTORY_BINS / 16);
    for (size_t Bin = 0; Bin < H.Bins.size(); ++Bin) {
      EXPECT_EQ(Steps.Ns[Bin], H.Bins[Bin].ToNs - H.Bins[Bin].FromNs);
      EXPECT_EQ(Steps.Steps[Bin].Steps * 10'000'000, Steps.Ns[Bin]);
    }
    checkSums(R);
  };
  unsigned Writes = 0;
  auto Fold = [&]<typename Bin>(loopscope_chunk_type Type, Bin *) {
    std::vector<Bin *> Places = placesOf<Bin>(Type);
    ASSERT_EQ(Places.size(), LOOPSCOPE_HISTORY_BINS + 1);
    Bin *Spare = Places[BinsOfPiece];
    Places.erase(Places.begin() + BinsOfPiece);
    auto CheckSome = [&] {
      if (Writes > 6 && Writes % 97 != 0)
        return;
      Check(read(fileBytes(profilePath())));
      Check(readCopy(fileBytes(profilePath())));
    };
    foldBins<Bin>(
        LOOPSCOPE_HISTORY_BINS, Spare,
        [&](uint32_t Index) { return Places[Index]; },
        [&](Bin *To, Bin From) {
          ++Writes;
          uint64_t End = From.end_ticks;
          From.end_ticks = 0;
          *To = From;
          CheckSome();
          To->end_ticks = End;
          CheckSome();
        });
  };
  Fold(LOOPSCOPE_CHUNK_HISTORY_STEPS,
       static_cast<loopscope_history_steps *>(nullptr));
  Fold(LOOPSCOPE_CHUNK_HISTORY, static_cast<loopscope_history_bin *>(nullptr));
  EXPECT_EQ(Writes, 2 * (LOOPSCOPE_HISTORY_BINS + 2));
  loopscope_leave(L);
}

// A short program, or one without a background thread, has one bin: the run.
TEST_F(HistoryTest, NoLook) {
  run("work", 3'000'000);
  loopscope::Run R = read();
  const loopscope::RunHistory &H = R.Histories.at(0);
  ASSERT_EQ(H.Bins.size(), 1u);
  EXPECT_EQ(H.Bins[0].FromNs, 0);
  EXPECT_EQ(H.Bins[0].ToNs, R.WallNs);
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_PHASE, "work").Ns,
            std::vector<int64_t>{3'000'000});
}

// Draws outside steps get lanes only while there is room.
TEST_F(HistoryTest, ManyDraws) {
  for (int I = 0; I < 40; ++I) {
    loopscope_token D = loopscope_draw_enter(
        site("draw " + std::to_string(I), LOOPSCOPE_KIND_DRAW));
    advance(10'000'000);
    loopscope_leave(D);
  }
  look();
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  loopscope_token S = loopscope_step_begin(L);
  for (int I = 0; I < 40; ++I) {
    loopscope_token D =
        loopscope_enter(site("read " + std::to_string(I), LOOPSCOPE_KIND_DRAW));
    advance(10'000'000);
    loopscope_leave(D);
  }
  loopscope_step_end(S);
  loopscope_leave(L);
  look();
  // 21, and the loop's steps and their draw.
  EXPECT_EQ(
      placesOf<loopscope_history_lane>(LOOPSCOPE_CHUNK_HISTORY_LANES).size(),
      23u);
  loopscope::Run R = read();
  EXPECT_EQ(R.Lost.named(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT), 19u + 40u);
  checkSums(R);
}

// Phases before it take no loop's place.
TEST_F(HistoryTest, LoopAfterManyPhases) {
  for (int I = 0; I < 40; ++I)
    run("phase " + std::to_string(I), 1'000'000);
  look();
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Step = 0; Step < 3; ++Step) {
    advance(10'000'000);
    loopscope_token S = loopscope_step_begin(L);
    advance(20'000'000);
    loopscope_step_end(S);
    look();
  }
  loopscope_leave(L);
  loopscope::Run R = read();
  using Ns = std::vector<int64_t>;
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_STEP).Ns,
            (Ns{0, 30'000'000, 30'000'000, 30'000'000}));
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_DRAW).Ns,
            (Ns{0, 10'000'000, 10'000'000, 10'000'000}));
  EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_PHASE, "phase 20").Ns[0], 1'000'000);
}

// Without looks nothing is left out, however many call paths there are.
TEST_F(HistoryTest, ManyPhasesWithoutALook) {
  for (int I = 0; I < 600; ++I)
    run("phase " + std::to_string(I), 1'000'000);
  loopscope::Run R = read();
  EXPECT_EQ(R.Lost.named(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT), 0u);
  EXPECT_EQ(R.Histories.at(0).Lanes.size(), 600u);
  checkSums(R);
}

// What isn't followed is counted once, by the first look after it.
TEST_F(HistoryTest, ManyPhasesWithLooks) {
  for (int I = 0; I < 600; ++I) {
    run("phase " + std::to_string(I), 1'000'000);
    if (I % 100 == 99)
      look();
  }
  look();
  loopscope::Run R = read();
  EXPECT_EQ(R.Lost.named(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT), 600u - 21u);
  // Each lane may lack call paths.
  EXPECT_TRUE(R.Histories.at(0).Lanes.empty());
}

// Where bins are lost, when their time was isn't known: the run is one bin.
TEST_F(HistoryTest, LostBins) {
  for (int Look = 0; Look < 5; ++Look) {
    run("work", 10'000'000);
    look();
  }
  auto Bins = placesOf<loopscope_history_bin>(LOOPSCOPE_CHUNK_HISTORY);
  for (uint32_t Lost : {0U, 2U}) {
    uint64_t End = std::exchange(Bins[Lost]->end_ticks, 0);
    loopscope::Run R = read(fileBytes(profilePath()));
    Bins[Lost]->end_ticks = End;
    EXPECT_EQ(R.Histories.at(0).Bins.size(), 1u);
    EXPECT_EQ(laneOf(R, LOOPSCOPE_KIND_PHASE, "work").Ns,
              std::vector<int64_t>{50'000'000});
    EXPECT_EQ(R.Lost.BadRecords, 4u);
    checkSums(R);
  }
}

// Random programs, with looks at random moments: bins add up to the tree.
TEST_F(HistoryTest, BinsAddUpToTheTree) {
  std::mt19937 Random(35); // NOLINT(cert-msc32-c,cert-msc51-cpp)
  auto Upto = [&](unsigned Most) { return Random() % (Most + 1); };
  auto Pass = [&] {
    advance(Upto(9'000'000));
    if (Upto(2) == 0)
      look();
  };
  for (int Execution = 0; Execution < 30; ++Execution) {
    loopscope_token L = loopscope_loop_enter(
        site(Upto(1) == 0 ? "a" : "b",
             Upto(1) == 0 ? LOOPSCOPE_KIND_TRAIN : LOOPSCOPE_KIND_VALID));
    for (unsigned Step = Upto(40); Step != 0; --Step) {
      Pass();
      loopscope_token S = loopscope_step_begin(L);
      for (unsigned Phase = Upto(4); Phase != 0; --Phase) {
        loopscope_token T =
            loopscope_enter(site(std::string(1, char('c' + Upto(9)))));
        Pass();
        if (Upto(3) == 0) {
          loopscope_token D =
              Upto(1) == 0
                  ? loopscope_draw_enter(site("in", LOOPSCOPE_KIND_DRAW))
                  : loopscope_enter(site("at", LOOPSCOPE_KIND_WAIT));
          Pass();
          loopscope_leave(D);
        }
        Pass();
        loopscope_leave(T);
      }
      if (Upto(1) == 0)
        loopscope_samples(S, Upto(64));
      loopscope_step_end(S);
    }
    Pass();
    loopscope_leave(L);
    run("outside", Upto(5'000'000));
  }
  loopscope::Run R = read();
  EXPECT_GT(R.Histories.at(0).Bins.size(), 100u);
  checkSums(R);
  uint64_t Samples = 0;
  uint64_t TreeSamples = 0;
  for (const loopscope::HistoryLane &Each : R.Histories.at(0).Lanes)
    for (const loopscope::HistorySteps &Bin : Each.Steps)
      Samples += Bin.Samples;
  for (const loopscope::Node &N : R.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP)
      TreeSamples += N.Samples;
  EXPECT_EQ(Samples, TreeSamples);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The own time of single steps, and what of it was critical.

#include "Fixture.h"

#include "comm/extension.h"
#include "comm/own_steps.h"
#include "profile/profile_file.h"
#include "tree/schedule.h"

#include "Run/Read/ProfileReader.h"

#include <loopscope/named_losses.h>

#include <algorithm>
#include <thread>

using namespace loopscope::runtime;

namespace {
class OwnStepsTest : public RuntimeTest {
protected:
  OwnStepsTest() {
    StepSchedule.WarmupSteps = 0;
    wantOwnSteps();
  }
  ~OwnStepsTest() override { resetOwnSteps(); }

  static void run(const std::string &Name, uint64_t Ticks,
                  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE) {
    loopscope_token T = loopscope_enter(site(Name, Kind));
    advance(Ticks);
    loopscope_leave(T);
  }
  static void wait(const std::string &Name, uint64_t Ticks) {
    run(Name, Ticks, LOOPSCOPE_KIND_WAIT);
  }

  // Of more phases than are looked at.
  static const std::vector<std::string> &manyNames() {
    static const std::vector<std::string> Names = [] {
      std::vector<std::string> Made;
      for (int I = 0; I < 1100; ++I)
        Made.push_back("p" + std::to_string(I));
      return Made;
    }();
    return Names;
  }

  // Whether an extension is told of the spans of NAME.
  static bool isWatched(const std::string &Name) {
    for (const auto &[Path, N] : nodes())
      if (Path.substr(Path.rfind('/') + 1) == Name)
        return isMarked(N);
    return false;
  }

  // In the finished profile.
  uint64_t stepsLost() {
    loopscope::Result<loopscope::Run> Read = loopscope::readProfile(finish());
    return Read ? Read->Lost.named(LOOPSCOPE_COUNT_COMM_STEPS_LOST) : 0;
  }

  static std::vector<loopscope_own_step> records() {
    std::vector<loopscope_own_step> Result;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      if (C->type != LOOPSCOPE_CHUNK_OWN_STEPS)
        continue;
      auto *All = reinterpret_cast<loopscope_own_step *>(entries(C));
      for (uint32_t I = 0; I < C->used; ++I)
        if (All[I].sequence != 0)
          Result.push_back(All[I]);
    }
    std::sort(Result.begin(), Result.end(), [](const auto &A, const auto &B) {
      return A.sequence < B.sequence;
    });
    return Result;
  }

  // "OWN of TICKS: PHASE=TICKS/CRITICAL/MET...".
  static std::string text(const loopscope_own_step &Of) {
    std::map<uint32_t, std::string> Names;
    for (const auto &[Path, N] : nodes())
      Names[N->index] = Path.substr(Path.rfind('/') + 1);
    std::string Text =
        std::to_string(Of.own_ticks) + " of " + std::to_string(Of.ticks) + ":";
    auto Whole = [](float Ticks) {
      return std::to_string(static_cast<int>(Ticks));
    };
    for (uint32_t P = 0; P < Of.phase_count; ++P)
      Text += " " + Names[Of.phase_node[P]] + "=" + Whole(Of.phase_ticks[P]) +
              "/" + Whole(Of.critical_ticks[P]) + "/" + Whole(Of.met_ticks[P]);
    return Text;
  }
};
} // namespace

// Waits and collectives aren't own time. What comes before a send or the step's
// end is critical; what comes before a wait is up to the other ranks.
TEST_F(OwnStepsTest, WhatIsCritical) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Step = 0; Step < 3; ++Step) {
    loopscope_token S = loopscope_step_begin(L);
    run("a", 100);
    wait("MPI_Send", 50);
    run("b", 200);
    wait("MPI_Irecv", 1);
    wait("MPI_Wait", 70);
    run("c", 300);
    run("MPI_Allreduce", 400, LOOPSCOPE_KIND_COLLECTIVE);
    run("d", 500);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  std::vector<loopscope_own_step> Found = records();
  // At the first step's beginning, nobody looked.
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(Found[0].step, 1U);
  EXPECT_EQ(text(Found[1]),
            "1100 of 1621: d=500/500/0 c=300/0/300 b=200/0/200 a=100/100/0");
}

// 512 samples of a loop are kept, of steps with numbers that a power of two
// divides; beside them the longest steps, whichever they are.
TEST_F(OwnStepsTest, TheSameStepsInAllRanks) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (uint64_t Step = 0; Step < 5000; ++Step) {
    loopscope_token S = loopscope_step_begin(L);
    run("a", Step == 4001 ? 90000 : 100);
    wait("MPI_Recv", 50);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  size_t Samples = 0;
  size_t Long = 0;
  for (const loopscope_own_step &Each : records()) {
    if (Each.step == 4001) {
      ++Long;
      EXPECT_EQ(Each.own_ticks, 90000U + 100 * (Each.steps - 1));
      continue;
    }
    ++Samples;
    EXPECT_EQ(Each.step % 16, 0U);
    EXPECT_EQ(Each.steps, 1U);
    EXPECT_EQ(Each.own_ticks, 100U);
  }
  EXPECT_EQ(Long, 1U);
  EXPECT_EQ(Samples, 5000U / 16);
}

// Steps in steps have no records of their own.
TEST_F(OwnStepsTest, OutermostLoopsOnly) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Step = 0; Step < 2; ++Step) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token Inner =
        loopscope_loop_enter(site("inner", LOOPSCOPE_KIND_TRAIN));
    loopscope_token I = loopscope_step_begin(Inner);
    advance(10);
    loopscope_step_end(I);
    loopscope_leave(Inner);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(records().size(), 1U);
}

// A thread that takes over an ended one's tree has seen none of the loop's
// steps: what came before is in none of its records.
TEST_F(OwnStepsTest, AnotherThreadGoesOn) {
  auto Train = [] {
    loopscope_token L =
        loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
    for (int Step = 0; Step < 20; ++Step) {
      loopscope_token S = loopscope_step_begin(L);
      run("a", Step == 0 ? 5000 : 100);
      wait("MPI_Recv", 50);
      loopscope_step_end(S);
    }
    loopscope_leave(L);
  };
  std::thread(Train).join();
  std::thread(Train).join();
  size_t Samples = 0;
  for (const loopscope_own_step &Each : records()) {
    ++Samples;
    EXPECT_EQ(Each.own_ticks, 100U) << "step " << Each.step;
  }
  EXPECT_EQ(Samples, 38U);
}

// Too many phases in a step: it is no sample, and looks become rare, also those
// at long steps.
TEST_F(OwnStepsTest, TooManyPhases) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Step = 0; Step < 2000; ++Step) {
    loopscope_token S = loopscope_step_begin(L);
    for (const std::string &Each : manyNames())
      run(Each, 1);
    advance(Step % 8 == 7 ? 10000 : 0);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_TRUE(records().empty());
  EXPECT_EQ(stepsLost(), 11U); // after steps 1, 2, 4 to 1024
}

// The same if a wait in a sample comes to them first: the look before it is
// lost, and the wait isn't watched any more.
TEST_F(OwnStepsTest, TooManyPhasesBeforeAWait) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int Step = 0; Step < 2; ++Step) {
    loopscope_token S = loopscope_step_begin(L);
    wait("MPI_Recv", 1);
    if (Step == 1)
      for (const std::string &Each : manyNames())
        run(Each, 1);
    EXPECT_EQ(isWatched("MPI_Recv"), Step == 1);
    wait("MPI_Recv", 1);
    EXPECT_FALSE(isWatched("MPI_Recv"));
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_TRUE(records().empty());
  EXPECT_EQ(stepsLost(), 2U); // at the wait and after the step
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread did before each collective.

#include "Fixture.h"

#include "comm/collectives.h"
#include "comm/extension.h"
#include "profile/profile_file.h"
#include "tree/schedule.h"

#include <thread>

using namespace loopscope::runtime;

namespace {
class CollectivesTest : public RuntimeTest {
protected:
  CollectivesTest() {
    StepSchedule.WarmupSteps = 0;
    registerCollectives();
  }
  ~CollectivesTest() override { resetCollectives(); }

  static void run(const std::string &Name, uint64_t Ticks,
                  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE) {
    loopscope_token T = loopscope_enter(site(Name, Kind));
    advance(Ticks);
    loopscope_leave(T);
  }
  static void collective(const std::string &Name, uint64_t Ticks) {
    run(Name, Ticks, LOOPSCOPE_KIND_COLLECTIVE);
  }

  /// Of all instances, by sequence.
  static std::vector<uint64_t> numbers() {
    std::map<uint64_t, uint64_t> Found;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
      for (uint32_t I = 0;
           C->type == LOOPSCOPE_CHUNK_COLLECTIVES && I < C->used; ++I)
        if (const auto &Each =
                reinterpret_cast<loopscope_collective *>(entries(C))[I];
            Each.sequence != 0)
          Found[Each.sequence] = Each.number;
    std::vector<uint64_t> Result;
    for (auto [Sequence, Number] : Found)
      Result.push_back(Number);
    return Result;
  }

  // "NAME after TICKS: PHASE=TICKS..." for each instance.
  static std::vector<std::string> instances() {
    std::map<uint32_t, std::string> Names;
    for (const auto &[Path, N] : nodes())
      Names[N->index] = Path.substr(Path.rfind('/') + 1);
    std::map<uint64_t, std::string> Found; // by sequence
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      if (C->type != LOOPSCOPE_CHUNK_COLLECTIVES)
        continue;
      auto *All = reinterpret_cast<loopscope_collective *>(entries(C));
      for (uint32_t I = 0; I < C->used; ++I) {
        if (All[I].sequence == 0)
          continue;
        std::string Text = Names[All[I].node] + " after " +
                           std::to_string(All[I].work_ticks) + ":";
        bool IsKnown = All[I].phase_count != LOOPSCOPE_NONE;
        Text += IsKnown ? "" : " unknown";
        for (uint32_t P = 0; IsKnown && P < All[I].phase_count; ++P)
          Text += " " + Names[All[I].phase_node[P]] + "=" +
                  std::to_string(static_cast<int>(All[I].phase_ticks[P]));
        Found[All[I].sequence] = Text;
      }
    }
    std::vector<std::string> Result;
    for (const auto &[Sequence, Text] : Found)
      Result.push_back(Text);
    return Result;
  }
};
} // namespace

// All ranks must have the same numbers, also if some of them pause.
TEST_F(CollectivesTest, OnesThatAreLeftOutHaveNumbers) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  loopscope_token S = loopscope_step_begin(L);
  collective("sum", 10);
  run("a", 5);
  loopscope_pause();
  collective("sum", 1000);
  loopscope_resume();
  run("a", 7);
  collective("sum", 10);
  run("a", 9);
  collective("sum", 10);
  loopscope_pause();
  loopscope_step_end(S);
  S = loopscope_step_begin(L);
  collective("sum", 1000);
  loopscope_step_end(S);
  loopscope_resume();
  S = loopscope_step_begin(L);
  loopscope_step_end(S);
  S = loopscope_step_begin(L);
  collective("sum", 10);
  loopscope_step_end(S);
  loopscope_leave(L);
  EXPECT_EQ(numbers(), (std::vector<uint64_t>{0, 2, 3, 5}));
  std::vector<std::string> Found = instances();
  ASSERT_EQ(Found.size(), 4U);
  EXPECT_EQ(Found[1], "sum after 0: unknown");
  EXPECT_EQ(Found[2], "sum after 9: a=9");
}

// Each phase has its own time since the last collective. Time in collectives is
// nobody's, also if a phase around one goes on.
TEST_F(CollectivesTest, WorkBeforeACollective) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  loopscope_token S = loopscope_step_begin(L);
  loopscope_token A = loopscope_enter(site("a"));
  advance(10);
  run("inner", 20);
  collective("first", 500);
  advance(5);
  loopscope_leave(A);
  run("b", 30);
  collective("second", 700);
  loopscope_step_end(S);
  loopscope_leave(L);
  EXPECT_EQ(instances(),
            (std::vector<std::string>{"first after 30: inner=20 a=10",
                                      "second after 35: b=30 a=5"}));
}

// A thread that goes on with the tree of one that has ended doesn't take the
// work of that one for its own, nor that of executions without a collective.
TEST_F(CollectivesTest, WorkOfAnotherThread) {
  auto Train = [](bool Communicates) {
    loopscope_token L =
        loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
    for (int Step = 0; Step < 2; ++Step) {
      loopscope_token S = loopscope_step_begin(L);
      run("a", 100);
      if (Communicates)
        collective("c", 7);
      loopscope_step_end(S);
    }
    loopscope_leave(L);
  };
  std::thread(Train, true).join();
  std::thread(Train, true).join();
  std::thread([&] {
    Train(false);
    Train(true);
  }).join();
  // The names that instances() knows are the main thread's.
  std::vector<std::string> Expected = {" after 100: =100", " after 100: =100"};
  for (int Thread = 1; Thread < 3; ++Thread) {
    Expected.emplace_back(" after 100: unknown");
    Expected.emplace_back(" after 100: =100");
  }
  EXPECT_EQ(instances(), Expected);
}

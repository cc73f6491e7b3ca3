// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline's ring.

#include "Fixture.h"

#include "process/facts.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "timeline/ring.h"
#include "tree/schedule.h"

#include <loopscope/profile_counters.h>

#include <algorithm>

using namespace loopscope::runtime;

namespace {
class EventsTest : public RuntimeTest {
protected:
  EventsTest() {
    Process.Settings.Mode = LOOPSCOPE_MODE_TRACE;
    StepSchedule.WarmupSteps = 0;
  }

  // The blocks in use, in order.
  static std::vector<const loopscope_event_block *> blocks() {
    std::vector<const loopscope_event_block *> Result;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      auto *B = reinterpret_cast<loopscope_event_block *>(entries(C));
      for (uint32_t I = 0; C->type == LOOPSCOPE_CHUNK_EVENTS && I < C->used;
           ++I)
        if (B[I].sequence != 0)
          Result.push_back(&B[I]);
    }
    std::sort(Result.begin(), Result.end(),
              [](auto *A, auto *B) { return A->sequence < B->sequence; });
    return Result;
  }

  // The ring's chunks, in order.
  static std::vector<Chunk *> chunks() {
    std::vector<Chunk *> Result;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
      if (C->type == LOOPSCOPE_CHUNK_EVENTS)
        Result.push_back(C);
    return Result;
  }

  // "+a@5" for a BEGIN at 5 ticks after the start, "-a@7", "#step=3".
  static std::vector<std::string> events() {
    std::map<uint32_t, std::string> Names;
    for (const auto &[Path, N] : nodes())
      Names[N->index] = Path.substr(Path.rfind('/') + 1);
    std::vector<std::string> Result;
    for (const loopscope_event_block *B : blocks())
      for (uint64_t Event : B->event) {
        if (Event == 0)
          break;
        std::string Name = Names[Event & 0xfffff];
        uint64_t Value = Event >> 22;
        std::string Time = std::to_string(B->base_ticks + Value - 1000);
        switch (Event >> 20 & 3) {
        case LOOPSCOPE_EVENT_BEGIN:
          Result.push_back("+" + Name + "@" + Time);
          break;
        case LOOPSCOPE_EVENT_END:
          Result.push_back("-" + Name + "@" + Time);
          break;
        default:
          Result.push_back("#" + Name + "=" + std::to_string(Value));
          break;
        }
      }
    return Result;
  }
};

TEST_F(EventsTest, SpansBeginAndEnd) {
  loopscope_token A = loopscope_enter(site("a"));
  advance(5);
  loopscope_token B = loopscope_enter(site("b"));
  advance(2);
  loopscope_leave(B);
  loopscope_leave(A);
  EXPECT_EQ(events(),
            (std::vector<std::string>{"+a@0", "+b@5", "-b@7", "-a@7"}));
}

TEST_F(EventsTest, StepsHaveNumbersAndDraws) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int I = 0; I < 2; ++I) {
    advance(1);
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token D = loopscope_draw_enter(site("load", LOOPSCOPE_KIND_DRAW));
    advance(2);
    loopscope_leave(D);
    advance(3);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(events(),
            (std::vector<std::string>{
                "+train@0", "+step@0",  "#step=0",   "+draw@0",  "-draw@1",
                "+batch@1", "+draw@1",  "-draw@3",   "-batch@6", "-step@6",
                "+step@6",  "#step=1",  "+draw@6",   "-draw@7",  "+batch@7",
                "+draw@7",  "-draw@9",  "-batch@12", "-step@12", "+step@12",
                "#step=2",  "+draw@12", "-draw@12",  "-step@12", "-train@12"}));
}

TEST_F(EventsTest, KeepsTheNewestAndCountsTheRest) {
  Process.Settings.EventBytes = 1 << 20;
  constexpr uint64_t Spans = 200000;
  for (uint64_t I = 0; I < Spans; ++I) {
    loopscope_token A = loopscope_enter(site("a"));
    advance(1);
    loopscope_leave(A);
  }
  std::vector<std::string> Kept = events();
  EXPECT_EQ(Kept.size() + counter(LOOPSCOPE_COUNT_EVENTS_DROPPED), 2 * Spans);
  EXPECT_EQ(Kept.back(), "-a@" + std::to_string(Spans));
  EXPECT_GT(Kept.size(), (1U << 20) / 8 - 3 * LOOPSCOPE_EVENT_BLOCK_EVENTS);
}

// Loops and first visits take the slow path, where no new block can be made.
TEST_F(EventsTest, NothingIsLostIfABlockEndsOnTheSlowPath) {
  for (unsigned Before = 0; Before < 12; ++Before) {
    loopscope_token A = loopscope_enter(site("a"));
    uint64_t Noted = events().size();
    // Fill all but a few events of the block.
    uint64_t Goal = (Noted / LOOPSCOPE_EVENT_BLOCK_EVENTS + 1) *
                    LOOPSCOPE_EVENT_BLOCK_EVENTS;
    for (uint64_t I = Noted; I + 2 < Goal - Before; I += 2)
      loopscope_leave(loopscope_enter(site("filler")));
    std::string First = "first" + std::to_string(Before);
    loopscope_leave(loopscope_enter_adjacent(site(First)));
    loopscope_token L =
        loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
    loopscope_step_end(loopscope_step_begin(L));
    loopscope_leave(L);
    loopscope_leave(A);
    std::vector<std::string> Found = events();
    EXPECT_EQ(std::count(Found.begin(), Found.end(), "+" + First + "@0"), 1);
    EXPECT_EQ(std::count(Found.begin(), Found.end(), "+train@0"), Before + 1);
    EXPECT_EQ(std::count(Found.begin(), Found.end(), "-train@0"), Before + 1);
  }
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_EVENTS_DROPPED), 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_REENTRANT), 0U);
}

TEST_F(EventsTest, ALongPauseStartsABlock) {
  loopscope_token A = loopscope_enter(site("a"));
  advance(uint64_t(1) << 45);
  loopscope_leave(A);
  EXPECT_EQ(blocks().size(), 2U);
  EXPECT_EQ(events().back(), "-a@" + std::to_string(uint64_t(1) << 45));
}

TEST_F(EventsTest, StepsOutsideTheWindowLeaveNoEvents) {
  StepSchedule.WindowWait = 3;
  StepSchedule.WindowActive = 1;
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int I = 0; I < 4; ++I) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_leave(loopscope_enter(site("p")));
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  std::vector<std::string> Found = events();
  EXPECT_EQ(std::count(Found.begin(), Found.end(), "+p@0"), 1);
  EXPECT_EQ(std::count(Found.begin(), Found.end(), "#step=3"), 1);
  EXPECT_EQ(std::count(Found.begin(), Found.end(), "+step@0"), 1);
}

// The background thread's work when a writer calls it.
TEST_F(EventsTest, ChunksMadeAheadComeNext) {
  loopscope_leave(loopscope_enter(site("a")));
  EXPECT_FALSE(makeEventChunk()) << "one is enough for a slow writer";
  std::vector<Chunk *> Chunks = chunks();
  ASSERT_EQ(Chunks.size(), 2U);
  EXPECT_EQ(Chunks[1]->used, 0U);
  uint64_t Spans = 1;
  for (; Chunks[1]->used == 0 && Spans < 100000; ++Spans)
    loopscope_leave(loopscope_enter(site("a")));
  EXPECT_EQ(Chunks[0]->used, Chunks[0]->capacity);
  EXPECT_EQ(chunks().size(), 2U);
  EXPECT_EQ(events().size(), 2 * Spans);
  // If one comes too late, the writer requests more from then on.
  while (chunks().size() == 2)
    loopscope_leave(loopscope_enter(site("a")));
  EXPECT_TRUE(makeEventChunk());
  EXPECT_FALSE(makeEventChunk());
  EXPECT_EQ(chunks().size(), 5U);
}

TEST_F(EventsTest, ChunksMadeAheadKeepTheLimit) {
  Process.Settings.EventBytes = 5 << 19; // two chunks and a half
  uint64_t Spans = 0;
  while (counter(LOOPSCOPE_COUNT_EVENTS_DROPPED) == 0) {
    for (int I = 0; I < 1000; ++I, ++Spans)
      loopscope_leave(loopscope_enter(site("a")));
    makeEventChunk();
  }
  uint64_t Bytes = 0;
  uint32_t Blocks = 0;
  for (Chunk *C : chunks()) {
    EXPECT_EQ(C->first_index, Blocks);
    EXPECT_EQ(C->used, C->capacity);
    Blocks += C->capacity;
    Bytes += C->size;
  }
  EXPECT_LE(Bytes, Process.Settings.EventBytes + chunks().size() * 4096);
  EXPECT_GT(Bytes, Process.Settings.EventBytes - (1 << 15));
  EXPECT_EQ(events().size() + counter(LOOPSCOPE_COUNT_EVENTS_DROPPED),
            2 * Spans);
}
} // namespace

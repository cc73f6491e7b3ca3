// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads: one tree each, reused when a thread ends.

#include "Fixture.h"

#include "base/thread_links.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"

#include <loopscope/profile_counters.h>

#include <pthread.h>
#include <set>
#include <thread>

using namespace loopscope::runtime;

namespace {
class ThreadsTest : public RuntimeTest {
protected:
  static std::vector<Thread *> threads() {
    std::vector<Thread *> Result;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      auto *T = reinterpret_cast<Thread *>(entries(C));
      for (uint32_t I = 0; C->type == LOOPSCOPE_CHUNK_THREADS && I < C->used;
           ++I)
        Result.push_back(&T[I]);
    }
    return Result;
  }

  // The number of finished spans of all nodes in the profile.
  static uint64_t spans() {
    uint64_t Sum = 0;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
      auto *N = reinterpret_cast<Node *>(entries(C));
      for (uint32_t I = 0; C->type == LOOPSCOPE_CHUNK_NODES && I < C->used; ++I)
        Sum += N[I].state == 1 ? N[I].count : 0;
    }
    return Sum;
  }
};

TEST_F(ThreadsTest, SuccessiveThreadsShareATree) {
  for (int I = 0; I < 2000; ++I)
    std::thread([] { loopscope_leave(loopscope_enter(site("a"))); }).join();
  ASSERT_EQ(threads().size(), 1U);
  EXPECT_EQ(threads()[0]->users, 2000U);
  EXPECT_EQ(threads()[0]->state, 2U);
  EXPECT_EQ(Header->threads_started, 2000U);
  EXPECT_EQ(spans(), 2000U);
}

TEST_F(ThreadsTest, ConcurrentThreadsHaveTheirOwnTrees) {
  constexpr int Count = 8;
  constexpr int Spans = 20000;
  pthread_barrier_t All;
  pthread_barrier_init(&All, nullptr, Count);
  std::vector<std::thread> Running;
  for (int I = 0; I < Count; ++I)
    Running.emplace_back([&All] {
      const loopscope_site *Sites[] = {site("a"), site("b")};
      pthread_barrier_wait(&All);
      for (int J = 0; J < Spans; ++J)
        loopscope_leave(loopscope_enter(Sites[J % 2]));
      pthread_barrier_wait(&All);
    });
  for (std::thread &T : Running)
    T.join();
  EXPECT_EQ(threads().size(), static_cast<size_t>(Count));
  EXPECT_EQ(spans(), static_cast<uint64_t>(Count) * Spans);
  std::set<uint32_t> Roots;
  for (Thread *T : threads())
    Roots.insert(T->root);
  EXPECT_EQ(Roots.size(), static_cast<size_t>(Count));
}

TEST_F(ThreadsTest, AThreadThatEndsInASpanClosesIt) {
  pthread_t Id;
  pthread_create(
      &Id, nullptr,
      [](void *) -> void * {
        loopscope_enter(site("a"));
        loopscope_enter(site("b"));
        return nullptr;
      },
      nullptr);
  pthread_join(Id, nullptr);
  EXPECT_EQ(spans(), 2U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_POPPED), 2U);
}
} // namespace

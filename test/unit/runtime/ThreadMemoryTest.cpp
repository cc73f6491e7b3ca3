// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each thread has of its own: apart from others, gone with the thread, and
// missing without harm.

#include "Fixture.h"

#include "base/deferral.h"
#include "base/thread_memory.h"
#include "tree/own_tree.h"

#include <loopscope/profile_counters.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <iterator>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace loopscope::runtime;

namespace {
struct Pair {
  int First;
  double Second;
};
// Sanitizers need memory of their own meanwhile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool IsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool IsSanitized = true;
#else
constexpr bool IsSanitized = false;
#endif
#else
constexpr bool IsSanitized = false;
#endif

LOOPSCOPE_PER_THREAD(Pair, Own);
LOOPSCOPE_PER_THREAD(char, Letter);

class ThreadMemoryTest : public RuntimeTest {
protected:
  static long mappings() {
    std::ifstream Maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(Maps), {}, '\n');
  }

  /// Calls WHAT on a thread that gets no memory: neither from the system, nor
  /// what ended threads have left, because others have taken that.
  static void withoutMemory(const std::function<void()> &What) {
    constexpr unsigned Takers = 100;
    pthread_barrier_t Begin;
    pthread_barrier_t End;
    pthread_barrier_init(&Begin, nullptr, Takers + 2);
    pthread_barrier_init(&End, nullptr, Takers + 2);
    std::vector<std::thread> All;
    for (unsigned I = 0; I < Takers; ++I)
      All.emplace_back([&] {
        Own->First = 1;
        pthread_barrier_wait(&Begin);
        pthread_barrier_wait(&End);
      });
    pthread_barrier_t Limited;
    pthread_barrier_init(&Limited, nullptr, 2);
    All.emplace_back([&] {
      pthread_barrier_wait(&Begin);
      pthread_barrier_wait(&Limited);
      What();
      pthread_barrier_wait(&Limited);
      pthread_barrier_wait(&End);
    });
    pthread_barrier_wait(&Begin);
    rlimit Before{};
    getrlimit(RLIMIT_AS, &Before);
    rlimit None = {0, Before.rlim_max};
    setrlimit(RLIMIT_AS, &None);
    pthread_barrier_wait(&Limited);
    pthread_barrier_wait(&Limited);
    setrlimit(RLIMIT_AS, &Before);
    pthread_barrier_wait(&End);
    for (std::thread &Each : All)
      Each.join();
    for (pthread_barrier_t *Each : {&Begin, &End, &Limited})
      pthread_barrier_destroy(Each);
  }
};

TEST_F(ThreadMemoryTest, EachThreadHasItsOwn) {
  *Own = {1, 2.5};
  *Letter = 'm';
  std::thread([] {
    EXPECT_EQ(Own->First, 0);
    EXPECT_EQ(Own->Second, 0);
    EXPECT_EQ(*Letter, 0);
    *Own = {3, 4.5};
    *Letter = 'o';
    EXPECT_EQ(Own->Second, 4.5);
  }).join();
  EXPECT_EQ(Own->First, 1);
  EXPECT_EQ(Own->Second, 2.5);
  EXPECT_EQ(*Letter, 'm');
}

TEST_F(ThreadMemoryTest, ALaterThreadFindsNothingOfAnEarlierOne) {
  for (int I = 0; I < 100; ++I)
    std::thread([] {
      EXPECT_EQ(Own->First, 0);
      EXPECT_EQ(ownTree(), nullptr);
      Own->First = 1;
      loopscope_leave(loopscope_enter(site("a")));
    }).join();
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_THREADS_LOST), 0U);
}

TEST_F(ThreadMemoryTest, ItEndsWithTheThread) {
  auto RunOne = [] {
    std::thread([] { Own->First = 7; }).join();
    std::thread([] { loopscope_leave(loopscope_enter(site("a"))); }).join();
  };
  RunOne();
  long Before = mappings();
  for (int I = 0; I < 300; ++I)
    RunOne();
  EXPECT_LT(mappings(), Before + 20);
}

TEST_F(ThreadMemoryTest, AThreadThatGetsNoneIsCounted) {
  if (IsSanitized)
    GTEST_SKIP() << "sanitizers get no memory either";
  loopscope_leave(loopscope_enter(site("a")));
  int Saved = 0;
  bool Masked = true;
  withoutMemory([&] {
    errno = 5;
    loopscope_leave(loopscope_enter(site("a")));
    Deferral Outer;
    sigset_t Mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
    Masked = sigismember(&Mask, SIGUSR1) != 0;
    Saved = errno;
  });
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_THREADS_LOST), 1U);
  EXPECT_EQ(node("a").count, 1U);
  EXPECT_EQ(Saved, 5);
  EXPECT_FALSE(Masked);
}
} // namespace

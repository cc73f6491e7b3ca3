// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each thread has of its own: apart from others, gone with the thread, and
// missing without harm.

#include "Fixture.h"

#include "core/deferral.h"
#include "core/thread_memory.h"
#include "core/threads.h"

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

  /// Calls WHAT on a thread that gets no memory from the system.
  static void withoutMemory(const std::function<void()> &What) {
    pthread_barrier_t Both;
    pthread_barrier_init(&Both, nullptr, 2);
    std::thread Other([&] {
      pthread_barrier_wait(&Both);
      pthread_barrier_wait(&Both);
      What();
    });
    pthread_barrier_wait(&Both);
    rlimit Before{};
    getrlimit(RLIMIT_AS, &Before);
    rlimit None = {0, Before.rlim_max};
    setrlimit(RLIMIT_AS, &None);
    pthread_barrier_wait(&Both);
    Other.join();
    setrlimit(RLIMIT_AS, &Before);
    pthread_barrier_destroy(&Both);
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

/// \file
/// Eight threads that use everything of the runtime at once, for sanitizers:
/// first visits of the same sites at the same time, threads that come and go,
/// step loops, explicit draws, prediction misses, jumps out of phases, forks.
///
///   stress [TURNS]     exits 0; prints the spans of its phase "work"
#include "survive.h"

#include <loopscope/loopscope.h>

#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<uint64_t> Works{0};

static void work() {
  PHASE(1, "work");
  Works.fetch_add(1, std::memory_order_relaxed);
}

static void steps(int Count) {
  __LOOPSCOPE_SPAN(2, TRAIN, "train", __LINE__, "steps");
  for (int I = 0; I < Count; ++I) {
    __LOOPSCOPE_STEP(3, 2);
    __LOOPSCOPE_SAMPLES(3, 8);
    {
      __LOOPSCOPE_SPAN(4, DRAW, "fetch", __LINE__, "steps");
      work();
    }
    {
      PHASE(5, "forward");
      work();
    }
    __LOOPSCOPE_SPAN_NEXT(6, PHASE, "backward", __LINE__, "steps");
    work();
  }
}

static void jump() {
  static thread_local std::jmp_buf Back;
  PHASE(7, "outside");
  if (setjmp(Back) == 0) {
    // A hook without a guard, so that the jump skips no destructor.
    static const loopscope_site Site =
        LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "jumped out of", __LINE__, "jump");
    loopscope_enter(&Site);
    std::longjmp(Back, 1);
  }
}

static void recurse(int Depth) {
  PHASE(8, "recursion");
  if (Depth > 0)
    recurse(Depth - 1);
  work();
}

static void everything(unsigned Seed, int Turns) {
  for (int I = 0; I < Turns; ++I) {
    Seed = Seed * 1664525u + 1013904223u;
    switch (Seed >> 29) {
    case 0:
    case 1:
      steps(5);
      break;
    case 2:
      jump();
      break;
    case 3:
      recurse(static_cast<int>(Seed >> 8 & 15));
      break;
    default:
      work();
    }
  }
}

int main(int Argc, char **Argv) {
  int Turns = Argc > 1 ? std::atoi(Argv[1]) : 20000;
  for (unsigned Wave = 0; Wave < 8; ++Wave) {
    std::vector<std::thread> Threads;
    for (unsigned I = 0; I < 8; ++I)
      Threads.emplace_back(everything, Wave * 8 + I, Turns / 8);
    for (std::thread &T : Threads)
      T.join();
    if (pid_t Child = fork())
      waitpid(Child, nullptr, 0);
    else {
      everything(Wave, 100);
      _exit(0);
    }
  }
  std::printf("%llu\n", static_cast<unsigned long long>(Works.load()));
}

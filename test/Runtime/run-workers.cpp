// What each thread of several does over and over is its outermost loop, whatever loops are in it, unless jobs of a pool come to it.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g -pthread -fopenmp %s -o workers
// RUN: loopscope run --no-counts -- ./workers walks | FileCheck %s --check-prefix=WALKS
// WALKS: {{^}}Likely main loop: the loop in walker(), run-workers.cpp:47 (
// WALKS: {{^}}Another candidate: the loop in setUp(), run-workers.cpp:56 (
// A barrier's pragma before it isn't the loop's.
// RUN: rm *.loopscope && loopscope run --no-counts -- env OMP_NUM_THREADS=2 ./workers region | FileCheck %s --check-prefix=REGION
// REGION: {{^}}Likely main loop: the loop in region(), run-workers.cpp:66 (
// RUN: loopscope suggest workers.*.loopscope -o region.yaml && FileCheck %s --check-prefix=BARRIER < region.yaml
// BARRIER: { kind: train, in: "region", loop: 1 }
// RUN: loopscope run --no-counts -- ./workers pool | FileCheck %s --check-prefix=POOL
// POOL: {{^}}Likely main loop: the loop in {{.*}}, run-workers.cpp:93 (
// A pool whose jobs have no steps serves the loop that makes them.
// RUN: loopscope run --no-counts -- ./workers serve | FileCheck %s --check-prefix=SERVE
// SERVE: {{^}}Likely main loop: the loop in drive(), run-workers.cpp:105 (
// SERVE: {{^}}Another candidate: the loop in pool(), run-workers.cpp:79 (
// No hook fits between a pragma and the loop after it, so the rules select the loop around it.
// RUN: rm *.loopscope && loopscope run --no-counts -- env OMP_NUM_THREADS=2 ./workers for | FileCheck %s --check-prefix=FOR
// FOR: {{^}}Likely main loop: the loop in rows(), run-workers.cpp:114 (
// RUN: loopscope suggest workers.*.loopscope | FileCheck %s --check-prefix=RULES
// RULES: # no rule can select this loop: no hook fits between a pragma and the loop after it
// RULES: { kind: train, in: "passes", loop: 1 }
// Threads that end before the list of threads is read have no samples, which a line says; the others' runs don't say it.
// If most of the time has none, no loop is called likely, and there are no rules.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./workers brief | FileCheck %s --check-prefix=BRIEF --implicit-check-not=Likely
// BRIEF: {{^}}Loop with most samples: the loop in setUp(), run-workers.cpp:56 (
// BRIEF: {{^}}This much CPU time should have some {{[0-9]+}} samples. Those missing are of {{(time in the kernel or of )?}}threads that ended soon after they began{{( or gave a CPU up before a tick)?}}, so shares may be wrong.{{$}}
// RUN: not loopscope suggest workers.*.loopscope 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: most of its CPU time has no samples, so the loop that takes it isn't known; `loopscope report --view loops` says what is missing
// RUN: loopscope run --no-counts -- ./workers serve | FileCheck %s --check-prefix=LASTING --implicit-check-not="This much CPU time"
// LASTING: Sampled, not measured
// Without debug information, a thread's own code beside a call shows where it is.
// RUN: strip workers -o bare && loopscope run --no-counts -- ./bare walks | FileCheck %s --check-prefix=BARE
// BARE: {{^}}The time splits in bare+0x{{[0-9a-f]+}}() (
#include "Inputs/known-loop.h"
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#define NOINLINE __attribute__((noinline)) static void

NOINLINE walker(int walks) {
  for (int i = 0; i < walks; ++i) // WALKS
    for (int at = 0; at < 4; ++at)
      for (int near = 0; near < 4; ++near) {
        forward();
        backward();
      }
}

NOINLINE setUp() {
  for (int i = 0; i < 600; ++i) { // SETUP
    load_batch();
    forward();
  }
}

NOINLINE region(int walks) {
#pragma omp parallel
  {
#pragma omp barrier
    for (int i = 0; i < walks; ++i) // REGION
      for (int at = 0; at < 4; ++at) {
        forward();
        backward();
      }
  }
}

std::mutex lock;
std::condition_variable came;
std::deque<std::function<void()>> jobs;

NOINLINE pool() {
  while (true) { // POOL
    std::function<void()> next;
    {
      std::unique_lock<std::mutex> held(lock);
      came.wait(held, [] { return !jobs.empty(); });
      next = jobs.front();
      jobs.pop_front();
    }
    if (!next)
      return;
    next();
  }
}
NOINLINE job() {
  for (int i = 0; i < 8; ++i) { // JOB
    forward();
    backward();
  }
}

static void put(std::function<void()> next) {
  std::lock_guard<std::mutex> held(lock);
  jobs.push_back(std::move(next));
  came.notify_one();
}
NOINLINE drive() {
  for (int i = 0; i < 300; ++i) { // DRIVE
    load_batch();
    forward();
    put([] { burn(1500); });
  }
}

NOINLINE rows() {
#pragma omp parallel for
  for (int i = 0; i < 8; ++i) { // ROWS
    forward();
    backward();
  }
}
NOINLINE passes(int n) {
  for (int i = 0; i < n; ++i)
    rows();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "walks") == 0) {
    setUp();
    std::thread one(walker, 12), other(walker, 12);
    one.join();
    other.join();
  } else if (strcmp(what, "region") == 0) {
    region(30);
  } else if (strcmp(what, "pool") == 0) {
    std::thread one(pool);
    for (int i = 0; i < 40; ++i)
      put(job);
    put({});
    one.join();
  } else if (strcmp(what, "brief") == 0) {
    setUp();
    for (int i = 0; i < 80; ++i)
      std::thread([] { burn(10000); }).join();
  } else if (strcmp(what, "serve") == 0) {
    std::thread one(pool);
    drive();
    put({});
    one.join();
  } else {
    passes(80);
  }
  return 0;
}

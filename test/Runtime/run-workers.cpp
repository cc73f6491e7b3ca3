// What each thread of several does over and over is its outermost loop, whatever loops are in it, unless jobs of a pool come to it.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g -pthread -fopenmp %s -o workers
// RUN: loopscope run --no-counts -- ./workers walks | FileCheck %s --check-prefix=WALKS
// WALKS: {{^}}Likely main loop: the loop in walker(), run-workers.cpp:58 (
// WALKS: {{^}}Another candidate: the loop in setUp(), run-workers.cpp:67 (
// A barrier's pragma before it isn't the loop's.
// RUN: rm *.loopscope && loopscope run --no-counts -- env OMP_NUM_THREADS=2 ./workers region | FileCheck %s --check-prefix=REGION
// REGION: {{^}}Likely main loop: the loop in region(), run-workers.cpp:77 (
// RUN: loopscope suggest workers.*.loopscope -o region.yaml && FileCheck %s --check-prefix=BARRIER < region.yaml
// BARRIER: { kind: train, in: "region", loop: 1 }
// RUN: loopscope run --no-counts -- ./workers pool | FileCheck %s --check-prefix=POOL
// POOL: {{^}}Likely main loop: the loop in {{.*}}, run-workers.cpp:104 (
// A pool whose jobs have no steps serves the loop that makes them.
// RUN: loopscope run --no-counts -- ./workers serve | FileCheck %s --check-prefix=SERVE
// SERVE: {{^}}Likely main loop: the loop in drive(), run-workers.cpp:116 (
// SERVE: {{^}}Another candidate: the loop in pool(), run-workers.cpp:90 (
// No hook fits between a pragma and the loop after it, so the rules select the loop around it.
// RUN: rm *.loopscope && loopscope run --no-counts -- env OMP_NUM_THREADS=2 ./workers for | FileCheck %s --check-prefix=FOR
// FOR: {{^}}Likely main loop: the loop in rows(), run-workers.cpp:125 (
// RUN: loopscope suggest workers.*.loopscope | FileCheck %s --check-prefix=RULES
// RULES: # no rule can select this loop: no hook fits between a pragma and the loop after it
// RULES: { kind: train, in: "passes", loop: 1 }
// Threads of some milliseconds have their share of samples, from their start on.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./workers brief | FileCheck %s --check-prefix=BRIEF --implicit-check-not="This much CPU time"
// BRIEF: {{^}}Likely main loop: the loop in brief(), run-workers.cpp:163 (
// If each pass of a loop starts them and waits for them, it has the steps, unless it says epochs.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./workers batches | FileCheck %s --check-prefix=BATCHES
// BATCHES: {{^}}Likely main loop: the loop in batches(), run-workers.cpp:145 (
// BATCHES: {{^}}shard {{.*}}run-workers.cpp
// BATCHES: {{^}}Another candidate: the loop in shard(), run-workers.cpp:138 (
// RUN: rm *.loopscope && loopscope run --no-counts -- ./workers epochs | FileCheck %s --check-prefix=EPOCHS
// EPOCHS: {{^}}Likely main loop: the loop in shard(), run-workers.cpp:138 (
// Those that end before a sample is due have none, which a line says; the others' runs don't say it.
// If most of the time has none, no loop is called likely, and there are no rules. Threads are of the loop that starts them if samples met some starts.
// RUN: rm *.loopscope && loopscope run -e stacks=50 --no-counts -- ./workers briefer | FileCheck %s --check-prefix=BRIEFER --implicit-check-not=Likely
// BRIEFER: {{^}}Loop with most samples: the loop in {{setUp\(\), run-workers.cpp:67|main\(\), run-workers.cpp:194}} (
// BRIEFER: {{^}}This much CPU time should have some {{[0-9]+}} samples. Those missing are of {{(time in the kernel or of )?}}threads that ended soon after they began{{( or gave a CPU up before a tick)?}}, so shares may be wrong.{{$}}
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
#include <vector>

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

PART(tiny_forward, 40)
PART(tiny_backward, 90)
NOINLINE shard() {
  for (int i = 0; i < 2; ++i) { // SHARD
    tiny_forward();
    tiny_backward();
  }
  sink = sink + 1;
}
NOINLINE batches(int n) {
  for (int i = 0; i < n; ++i) { // BATCHES
    std::vector<std::thread> all;
    for (int t = 0; t < 2; ++t)
      all.emplace_back(shard);
    for (std::thread &each : all)
      each.join();
  }
}
NOINLINE epochs(int n) {
  for (int epoch = 0; epoch < n; ++epoch) {
    std::thread one(shard);
    std::thread other(shard);
    one.join();
    other.join();
  }
}

NOINLINE brief() {
  for (int i = 0; i < 8; ++i) { // BRIEF
    forward();
    backward();
  }
  sink = sink + 1;
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
    for (int epoch = 0; epoch < 150; ++epoch)
      std::thread(brief).join();
  } else if (strcmp(what, "batches") == 0) {
    batches(6000);
  } else if (strcmp(what, "epochs") == 0) {
    epochs(6000);
  } else if (strcmp(what, "briefer") == 0) {
    setUp();
    for (int i = 0; i < 1500; ++i)
      std::thread([] { burn(2500); }).join();
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

// Thousands of short-lived threads share a few trees: every span is counted, and the
// profile stays small.
// RUN: %survive_cxx
// RUN: %calls | FileCheck %s
// RUN: test $(stat -c %%s %t.loopscope) -le 8388608
// CHECK-DAG: {{^}}work,6000{{$}}
// CHECK-DAG: {{^}}part,18000{{$}}
#include "survive.h"
#include <cstdio>
#include <thread>
#include <vector>

static void work() {
  PHASE(1, "work");
  for (int I = 0; I < 3; ++I) {
    PHASE(2, "part");
  }
}

int main() {
  for (int Wave = 0; Wave < 750; ++Wave) {
    std::vector<std::thread> Threads;
    for (int I = 0; I < 8; ++I)
      Threads.emplace_back(work);
    for (std::thread &T : Threads)
      T.join();
  }
  std::puts("done");
}

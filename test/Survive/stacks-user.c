// Perf events leave out time in the kernel, whether it allows the user more or not, and
// the report says so. Inputs/perf_signals.py decides whether this machine has them.
// REQUIRES: perf-user
// RUN: env SURVIVE_OPTIONS=stacks=2000 %survive_c
// RUN: rm -rf %t.d && mkdir -m 777 %t.d && cp %t.hooked %t.d/work
// RUN: cd / && env LOOPSCOPE=stacks=2000,report=none,output=%t.d/p.loopscope setpriv --reuid=65534 --regid=65534 --clear-groups %t.d/work
// RUN: loopscope report --view functions %t.d/p.loopscope | FileCheck %s
// CHECK: {{ burn }}
// CHECK: {{^}}Threads that perf events sampled have no samples of their time in the kernel.{{$}}
// RUN: loopscope report --view functions %t.loopscope | FileCheck %s
#include "survive.h"
#include <time.h>

static volatile double sink;

__attribute__((noinline)) static void burn(void) {
  double x = 1;
  for (clock_t start = clock(); clock() < start + CLOCKS_PER_SEC / 5;)
    for (int i = 0; i < 200000; ++i)
      x = x * 1.0000001 + 1e-9;
  sink = x;
}

int main(void) {
  PHASE(1, "work");
  burn();
}

// Hooks raise no floating-point exception, trap in no program that enables traps (all of them,
// 63, where ordinary arithmetic springs that of FE_INEXACT), and compute the same in every
// rounding mode: with every kind of hook, before main, on new threads, and for every word of
// LOOPSCOPE= that computes something.
// REQUIRES: x86, long
// RUN: %gcc -O1 -frounding-math -Wall -Werror -D_GNU_SOURCE %runtime_include %s -o %t %runtime_lib -lm
// RUN: sh %S/Inputs/floating_point.sh %t >%t.all
// RUN: FileCheck %s --input-file=%t.all
// CHECK-COUNT-120: {{^}}{{.*}}: exit 0, raised 0, as set{{$}}
// CHECK-NOT: {{.}}
// RUN: rm -f %t.*.loopscope
// RUN: env LOOPSCOPE=simple,report=none,output=%t.up.loopscope %t 0 1
// RUN: env LOOPSCOPE=simple,report=none,output=%t.down.loopscope %t 0 2
// RUN: loopscope report --view tree --format csv --columns name,calls,flop %t.up.loopscope | sort >%t.up
// RUN: loopscope report --view tree --format csv --columns name,calls,flop %t.down.loopscope | sort >%t.down
// RUN: diff %t.up %t.down
// RUN: FileCheck %s --check-prefix=SUM --input-file=%t.up
// SUM: {{.*}}"compute",300,{{[0-9.]+}}
#include <loopscope/loopscope.h>

#include <loopscope/hooks.h>

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const loopscope_site exchange =
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_COLLECTIVE, "exchange", 1, "main");

static void pass(long us) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000 < us);
}

static void step(int i) {
  {
    __LOOPSCOPE_SPAN(2, PHASE, "compute", 2, "main");
    __LOOPSCOPE_AMOUNT(2, flops, 0.1);
    // Some have too many ticks for a float.
    pass(i == 5 || i == 7 ? 20000 : i % 3 == 0 ? 20 : 70);
  }
  {
    __LOOPSCOPE_SPAN(3, PHASE, "sleep", 3, "main");
    const struct timespec rest = {0, 30000};
    nanosleep(&rest, NULL);
  }
  loopscope_token span = loopscope_enter(&exchange);
  loopscope_samples(span, 1021);
  loopscope_leave(span);
}

static void train(int steps) {
  __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
  for (int i = 0; i < steps; ++i) {
    __LOOPSCOPE_STEP(11, 10);
    __LOOPSCOPE_SAMPLES(11, 7);
    __LOOPSCOPE_STEP_AMOUNT(11, flops, 0.7);
    step(i);
  }
}

static void *other(void *unused) {
  train(20);
  return unused;
}

int main(int argc, char **argv) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  int raised = fetestexcept(FE_ALL_EXCEPT); // before main
  int traps = argc > 1 ? atoi(argv[1]) & FE_ALL_EXCEPT : 0;
  int mode = modes[argc > 2 ? atoi(argv[2]) & 3 : 0];
  feenableexcept(traps);
  fesetround(mode);
  train(300);
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL) == 0)
    pthread_join(thread, NULL);
  raised |= fetestexcept(FE_ALL_EXCEPT);
  printf("raised %x, %s\n", (unsigned)raised,
         fegetexcept() == traps && fegetround() == mode ? "as set" : "changed");
  return 0;
}

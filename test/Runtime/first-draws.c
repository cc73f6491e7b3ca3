// The first steps of a loop's executions are apart: their time and their waiting for data equal the
// program's own measurement, without the warm-up's; where they have much of the waiting, a sentence
// and the advice say so; where they are like the others, nothing does.
// RUN: %gcc -O1 -Wall -Werror %runtime_include %s -o %t %runtime_lib
// RUN: rm -f %t.*.loopscope
// RUN: env LOOPSCOPE=report=none,warmup=0,output=%t.slow.loopscope %t 3 400 2 > %t.own
// RUN: loopscope report %t.slow.loopscope --view account --format csv > %t.csv
// RUN: %python %S/Inputs/check_first.py %t.csv %t.own 3
// RUN: loopscope report %t.slow.loopscope --view overview --rows all | FileCheck %s --check-prefix=SLOW
// SLOW: {{^}}{{[0-9.]+ (ns|µs|ms|s)}} of {{[0-9.]+ (ns|µs|ms|s)}} of waiting for data is in the first steps of 3 executions; in the other steps it is {{[0-9.]+}}% of the time.
// SLOW: most of it in first steps: keep the loader from one execution of the loop to the next
// RUN: loopscope report %t.slow.loopscope --view overview | FileCheck %s --check-prefix=SLOW
// RUN: loopscope report %t.slow.loopscope --view account | FileCheck %s --check-prefix=NOTE
// NOTE: of waiting for data is in the first steps of 3 executions; in the other steps it is {{[0-9.]+}}% of the time.
// RUN: env LOOPSCOPE=report=none,trace,output=%t.warm.loopscope %t 3 400 2 > %t.own
// RUN: loopscope report %t.warm.loopscope --view account --format csv > %t.csv
// RUN: %python %S/Inputs/check_first.py %t.csv %t.own 2
// RUN: loopscope report %t.warm.loopscope --view overview | FileCheck %s --check-prefix=WARM
// WARM: of waiting for data is in the first steps of 2 executions; in the other steps it is {{[0-9.]+}}% of the time.
// RUN: env LOOPSCOPE=report=none,warmup=0,output=%t.even.loopscope %t 3 40 40 > %t.own
// RUN: loopscope report %t.even.loopscope --view account --format csv > %t.csv
// RUN: %python %S/Inputs/check_first.py %t.csv %t.own 3
// Unless a busy machine made them longer than the others.
// RUN: %python %S/Inputs/check_first.py %t.csv %t.own 3 0.04 > %t.even; loopscope report %t.even.loopscope --view overview --rows all | if grep -q even %t.even; then FileCheck %s --check-prefix=EVEN; else cat; fi
// EVEN-NOT: first step
#include <loopscope/hooks.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Of each execution: its first draw, from just inside the header.
static double first[100];

static int draw(int execution, int i, int first_ms, int other_ms) {
  double began = seconds();
  usleep(1000U * (unsigned)(i == 0 ? first_ms : other_ms));
  if (i == 0)
    first[execution] = seconds() - began;
  return i < 12;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  int executions = atoi(argv[1]), first_ms = atoi(argv[2]), other_ms = atoi(argv[3]);
  for (int e = 0; e < executions; ++e) {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", __LINE__, "main");
    for (int i = 0; draw(e, i, first_ms, other_ms); ++i) {
      __LOOPSCOPE_STEP(2, 1);
      usleep(1000);
    }
  }
  for (int e = 0; e < executions; ++e)
    printf("%.9f\n", first[e]);
  return 0;
}

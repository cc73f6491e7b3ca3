// While `loopscope run` samples a program, it counts the calls in its likely main loop, exactly, by breakpoints that the
// kernel lends: also where a line has two call instructions, and in a thread that isn't the main one.
// REQUIRES: x86, libdw, breakpoints, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g %s -o train -lpthread
// RUN: for t in 6 12 24 48; do rm -f *.loopscope; loopscope run --format json -o found.json -- ./train stamps here $t || exit 1; %python %S/Inputs/check_calls.py found.json stamps; r=$?; [ $r = 77 ] || break; done; [ $r = 0 ]
// RUN: loopscope report train.*.loopscope | FileCheck %s
// CHECK: Likely main loop: the loop in train(), run-counts.c:{{[0-9]+}} (
// CHECK: Call            Place            Samples {{.*}}Calls  One per
// CHECK: layer           run-counts.c:{{[0-9]+ .* [0-9]+ +[0-9.]+ (ns|µs|ms|s)}}
// CHECK: Calls are counted, not sampled, by breakpoints of the CPU, for the last {{[0-9.]+ (ns|µs|ms|s)}} of the run.
// RUN: for t in 6 12 24 48; do rm -f *.loopscope; loopscope run --format json -o found.json -- ./train stamps thread $t || exit 1; %python %S/Inputs/check_calls.py found.json stamps; r=$?; [ $r = 77 ] || break; done; [ $r = 0 ]

// Without permission, or if it isn't wanted, there are samples alone.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./train stamps briefly | FileCheck %s --check-prefix=NONE --implicit-check-not="One per" --implicit-check-not="breakpoint"
// NONE: Likely main loop: the loop in train(), run-counts.c:{{[0-9]+}} (

// A loop of short passes is only looked at for a moment: how often, not how many.
// RUN: rm *.loopscope && loopscope run -- ./train stamps short | FileCheck %s --check-prefix=SHORT
// SHORT: blink {{.*}} -  < {{[0-9.]+ (ns|µs|ms|s)}}
// SHORT: Calls happen too often to count them all without slowing the program down. They happen more often than once per the time shown, which is from a look of {{[0-9.]+ (ns|µs|ms|s)}} that slowed it.
#include "Inputs/known-loop.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

PART(batch, 600)
PART(layer, 1200)
PART(twice, 480)
PART(blink, 1)
PART(wink, 2)
#define BOTH twice(), twice()

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

enum { ENOUGH = 200, MOST = 1000000 };
static double stamps[MOST];
static int passes;
static volatile int layers = 3;

static void *train(void *seconds) {
  double end = now() + *(double *)seconds;
  // On a busy machine, seconds may be few passes.
  while ((now() < end || passes < ENOUGH) && passes < MOST) {
    stamps[passes++] = now();
    batch();
    for (int l = 0; l < layers; ++l)
      layer();
    BOTH;
  }
  return NULL;
}

static double cpuTime(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void *trainShortly(void *seconds) {
  double end = cpuTime() + *(double *)seconds; // on a busy machine, too
  while (cpuTime() < end)
    for (int i = 0; i < 1000; ++i) {
      blink();
      wink();
    }
  return NULL;
}

int main(int argc, char **argv) {
  double seconds = argc > 3 ? atof(argv[3]) : 6;
  if (argc > 2 && strcmp(argv[2], "briefly") == 0) {
    seconds = 2;
    train(&seconds);
  } else if (argc > 2 && strcmp(argv[2], "thread") == 0) {
    pthread_t other;
    pthread_create(&other, NULL, train, &seconds);
    pthread_join(other, NULL);
  } else if (argc > 2 && strcmp(argv[2], "short") == 0) {
    trainShortly(&seconds);
  } else {
    train(&seconds);
  }
  FILE *out = fopen(argv[1], "w");
  for (int i = 0; i < passes; ++i)
    fprintf(out, "%.6f\n", stamps[i]);
  fprintf(out, "%.6f\n", now());
  return fclose(out);
}

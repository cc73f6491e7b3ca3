// Experiments' spinning and sleeping isn't part of the CPU time, faults or
// switches of the steps, the loop and a phase around it: they have no more than
// the program's own and the hooks', which a run without experiments shows.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=cpu=on,report=none,output=%t.plain.loopscope %t > %t.plain
// RUN: loopscope report --view tree --format csv %t.plain.loopscope > %t.plain.csv
// RUN: env LOOPSCOPE=whatif,whatif-percent=50,cpu=on,report=none,output=%t.on.loopscope %t > %t.own
// RUN: loopscope report --view tree --format csv %t.on.loopscope | %python %S/Inputs/check_whatif_cpu.py %t.own %t.plain %t.plain.csv
// RUN: env LOOPSCOPE=whatif,whatif-percent=50,advanced,cpu=auto,report=none,output=%t.auto.loopscope %t > %t.own
// RUN: loopscope report --view tree --format csv %t.auto.loopscope | %python %S/Inputs/check_whatif_cpu.py %t.own %t.plain %t.plain.csv
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long switches(void) {
  struct rusage r;
  getrusage(RUSAGE_THREAD, &r);
  return r.ru_nvcsw;
}

// Of the following code, without the hooks.
static double own_cpu;
static long own_switches;

static void compute(void) {
  double start = seconds(CLOCK_THREAD_CPUTIME_ID), now = start;
  while (now < start + 3e-3)
    now = seconds(CLOCK_THREAD_CPUTIME_ID);
  own_cpu += now - start;
}

static void rest(void) {
  double start = seconds(CLOCK_THREAD_CPUTIME_ID);
  long before = switches();
  struct timespec time = {0, 2000000};
  nanosleep(&time, NULL);
  own_switches += switches() - before;
  own_cpu += seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

int main(void) {
  {
    __LOOPSCOPE_SPAN(1, PHASE, "around", 1, "main");
    __LOOPSCOPE_SPAN(2, TRAIN, "train", 2, "main");
    for (int step = 0; step < 160; ++step) {
      __LOOPSCOPE_STEP(3, 2);
      {
        __LOOPSCOPE_SPAN(4, PHASE, "computing", 4, "main");
        compute();
      }
      __LOOPSCOPE_SPAN(5, PHASE, "resting", 5, "main");
      rest();
    }
  }
  printf("%.6f %ld\n", own_cpu, own_switches);
}

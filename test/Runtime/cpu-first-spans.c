// New call paths in a series share a measure, and short ones have no times
// of their own; a phase that runs once, for long, has all of its time
// measured.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t > %t.own
// RUN: loopscope report --view tree --format csv %t.loopscope > %t.tree
// RUN: %python %S/Inputs/check_cpu_first.py %t.own < %t.tree
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double clock_s(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void spin(double seconds) {
  double end = clock_s(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (clock_s(CLOCK_THREAD_CPUTIME_ID) < end)
    ;
}

// Each depth is a separate call path.
static void descend(int depth) {
  __LOOPSCOPE_SPAN(1, PHASE, "short", 1, "descend");
  if (depth > 1)
    descend(depth - 1);
}

// Its name, and the seconds within the span and around it: by both clocks.
#define TIMED(ID, NAME, WHAT)                                                  \
  do {                                                                         \
    double most_wall = clock_s(CLOCK_MONOTONIC), wall;                         \
    double most_cpu = clock_s(CLOCK_THREAD_CPUTIME_ID), cpu;                   \
    {                                                                          \
      __LOOPSCOPE_SPAN(ID, PHASE, NAME, ID, "main");                           \
      wall = clock_s(CLOCK_MONOTONIC);                                         \
      cpu = clock_s(CLOCK_THREAD_CPUTIME_ID);                                  \
      WHAT;                                                                    \
      cpu = clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu;                            \
      wall = clock_s(CLOCK_MONOTONIC) - wall;                                  \
    }                                                                          \
    most_cpu = clock_s(CLOCK_THREAD_CPUTIME_ID) - most_cpu;                    \
    most_wall = clock_s(CLOCK_MONOTONIC) - most_wall;                          \
    printf("%s %.9f %.9f %.9f %.9f\n", NAME, wall, most_wall, cpu, most_cpu);  \
  } while (0)

int main(void) {
  descend(200);
  TIMED(2, "spinning", spin(0.06));
  descend(200);
  TIMED(3, "sleeping", usleep(60000));
  return 0;
}

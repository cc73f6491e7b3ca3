// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that itself counts SIGPROF, a hundred per second.
#include "common.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static void count(int number) {
  (void)number;
  ++ticks;
}

APART static void large(void) { TURNS(600000); }
APART static void small(void) { TURNS(100000); }

int main(void) {
  signal(SIGPROF, count);
  struct itimerval every = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &every, 0);
  for (int i = 0; i < 1500 * TIMES; ++i) {
    PHASE(1, "step");
    large();
    small();
  }
  return ticks < 50;
}

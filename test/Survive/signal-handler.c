// Phases in a signal handler that interrupts phases, or our own hooks: the
// interrupted thread's spans are exact, the handler's are counted or reported as
// lost.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,200000{{$}}
// CHECK-DAG: {{^}}part,200000{{$}}
// CHECK-DAG: {{^}}tick,{{[1-9][0-9]+}}
#include "survive.h"
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static void handler(int number) {
  PHASE(1, "tick");
  (void)number;
}

int main(void) {
  struct itimerval every = {{0, 50}, {0, 50}};
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &every, NULL);
  for (int i = 0; i < 200000; ++i) {
    PHASE(2, "work");
    PHASE(3, "part");
    for (volatile int spin = 0; spin < 100; ++spin)
      ;
  }
  puts("done");
}

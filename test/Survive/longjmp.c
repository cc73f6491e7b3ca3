// longjmp out of phases: the outer phase closes them, and reports their number.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=TOLD
// CHECK-DAG: {{^}}outer,100{{$}}
// CHECK-DAG: {{^}}middle,100{{$}}
// CHECK-DAG: {{^}}inner,100{{$}}
// TOLD: {{^}}200 spans of inner, middle: ended early, because a span around them, their thread or their function had ended; no end of their own came (longjmp, pthread_exit,
#include "survive.h"
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void leap(void) {
  PHASE(1, "middle");
  PHASE(2, "inner");
  longjmp(back, 1);
}

int main(void) {
  volatile int leaps = 0;
  for (volatile int i = 0; i < 100; ++i) {
    PHASE(3, "outer");
    if (setjmp(back) == 0)
      leap();
    ++leaps;
  }
  printf("%d\n", leaps);
}

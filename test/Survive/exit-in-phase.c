// exit() inside a phase: finished spans are counted, open ones are reported with their
// time so far.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=OPEN
// CHECK-DAG: {{^}}work,9{{$}}
// OPEN: {{^}}2 spans were not finished; totals include the time so far: outer > work.
#include "survive.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  PHASE(1, "outer");
  for (int i = 0; i < 10; ++i) {
    PHASE(2, "work");
    printf("%d\n", i);
    if (i == 9)
      exit(3);
  }
}

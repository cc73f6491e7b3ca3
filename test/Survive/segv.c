// A crash is the program's own: SIGSEGV ends it, and the profile is complete.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=END
// CHECK-DAG: {{^}}work,1000{{$}}
// END: The run did not end by exit(): it was killed, a signal ended it, or it called _exit();
// END-NEXT: {{^}}1 span was not finished; totals include the time so far: killed.
#include "survive.h"
#include <signal.h>
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("before");
  fflush(stdout);
  PHASE(2, "killed");
  *(volatile int *)8 = 0;
  puts("after");
}

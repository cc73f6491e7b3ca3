// A crash is the program's own: SIGSEGV ends it, and the report names it.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=END
// CHECK-DAG: {{^}}work,1000
// END: {{SIGSEGV|signal 11}}
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

// Under valgrind there are no samples; a line on stderr and the report say so, and the
// program runs as without us.
// REQUIRES: valgrind
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=stacks,report=none,output=%t.loopscope valgrind -q %t 2>&1 | FileCheck %s
// RUN: loopscope report --view simple --width all %t.loopscope | FileCheck %s --check-prefix=REPORT
// CHECK: loopscope: LOOPSCOPE=stacks: valgrind can't deliver the signals that sample threads; there are no samples{{$}}
// CHECK-NEXT: done
// CHECK-NOT: {{.}}
// REPORT: {{^}}1 run: without samples: valgrind can't deliver the signal on a stack that has to grow.{{$}}
#include <loopscope/hooks.h>
#include <stdio.h>
#include <time.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  for (clock_t start = clock(); clock() < start + CLOCKS_PER_SEC / 2;)
    ;
  puts("done");
  return 0;
}

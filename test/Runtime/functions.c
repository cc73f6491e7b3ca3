// Function mode's hooks record in advanced and trace, not in simple, the default; the
// phases around and inside are the same in all.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.s.loopscope %t
// RUN: env LOOPSCOPE=advanced,report=none,output=%t.a.loopscope %t
// RUN: env LOOPSCOPE=trace,report=none,output=%t.t.loopscope %t
// RUN: for p in s a t; do loopscope report --view simple --format csv %t.$p.loopscope | cut -d, -f2,4 | tr -d '"' | FileCheck %s; done
// RUN: loopscope report --view tree %t.s.loopscope | FileCheck %s --check-prefix=OFF
// RUN: loopscope report --view tree %t.a.loopscope | FileCheck %s --check-prefix=ON
// RUN: loopscope report --view tree %t.t.loopscope | FileCheck %s --check-prefix=ON
// CHECK-DAG: {{^}}around,1{{$}}
// CHECK-DAG: {{^}}within,100{{$}}
// OFF-NOT: helper
// ON: around
// ON: helper
// ON: within
#include <loopscope/hooks.h>

static int helper(int n) {
  __LOOPSCOPE_SPAN(1, FUNCTION, "helper", 20, "helper");
  __LOOPSCOPE_SPAN(2, PHASE, "within", 21, "helper");
  return n + 1;
}

int main(void) {
  __LOOPSCOPE_SPAN(3, PHASE, "around", 26, "main");
  int sum = 0;
  for (int i = 0; i < 100; ++i)
    sum = helper(sum);
  return sum != 100;
}

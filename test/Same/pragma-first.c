// Pragmas and __label__ that must come first in a block stay first there: function, block, loop body.
// RUN: %same --spans %s -- -Wno-unknown-pragmas -Wno-pedantic | FileCheck %s
// CHECK: pragma-first.c: same
// CHECK-DAG: {{^ +}}1 pragma{{$}}
// CHECK-DAG: {{^ +}}2 train/step/batch{{$}}
// CHECK-DAG: {{^ +}}1 label{{$}}
// CHECK-DAG: {{^ +}}3 main/pragma/f/epoch{{$}}
#include <loopscope/annotate.h>
#include <stdio.h>

#define EXACT _Pragma("STDC FP_CONTRACT ON")
#define NOTHING

static double f(double a, double b, double c) {
#pragma STDC FP_CONTRACT OFF
  LOOPSCOPE_EPOCH for (int i = 0; i < 3; ++i) { __label__ next; if (i == 1) goto next; a += b; next:; }
  return a * b + c;
}

static double g(double a) {
  /* Comments, other directives and empty macros may precede it. */
#if 1
#pragma GCC diagnostic push
#pragma STDC FENV_ACCESS ON
#endif
#pragma GCC diagnostic pop
  return a + 1;
}

static double h(double a) { EXACT return a + 2; }

LOOPSCOPE_PHASE("macro") static double k(double a) { NOTHING return a + 3; }

static int labels(int n) {
  __label__ out;
  if (n) goto out;
  n = 2;
out:
  return n;
}

int main(void) {
  double r = 0;
  LOOPSCOPE_PHASE("pragma") {
#pragma STDC FP_CONTRACT OFF
    r += f(1, 2, 3);
  }
  LOOPSCOPE_TRAIN("n") for (int i = 0; i < 2; ++i) {
#pragma STDC CX_LIMITED_RANGE ON
    int n = i;
    r += n;
  }
  LOOPSCOPE_PHASE("label") { __label__ out; if (r > 0) goto out; r = 0; out:; }
  printf("%f %f %f %f %d\n", r, g(r), h(r), k(r), labels(0));
  return 0;
}

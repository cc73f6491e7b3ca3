// gcc's -Wclobbered, part of -Wextra, depends on its use of registers: hooks cause no new warning.
// RUN: %same --spans --modes=phases %s | FileCheck %s
// CHECK: setjmp.c: same
// CHECK: {{^ +}}1 train
#include <loopscope/annotate.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static void deep(int n) {
  if (n == 3) longjmp(place, 1);
}

int main(void) {
  static int i;
  LOOPSCOPE_TRAIN_LOOP for (i = 0; i < 3; ++i) {
    LOOPSCOPE_PHASE("x") { if (setjmp(place) == 0) deep(i + 1); }
  }
  puts("done");
  return 0;
}

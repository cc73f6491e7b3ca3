// longjmp out of a phase that has no phase around it, as libpng's errors: the phase is
// ended at its next visit, and doesn't nest below itself.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report --view tree --format csv %t.loopscope | cut -d, -f2 | FileCheck %s --check-prefix=TREE
// CHECK-DAG: {{^}}decode,3000{{$}}
// CHECK-DAG: {{^}}train,1{{$}}
// TREE-COUNT-1: decode
// TREE-NOT: decode
#include "survive.h"
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

__attribute__((noinline)) static void decode(int i) {
  PHASE(1, "decode");
  if (i % 3 == 0)
    longjmp(back, 1);
}

int main(void) {
  volatile int bad = 0;
  for (volatile int i = 0; i < 3000; ++i)
    if (setjmp(back) == 0)
      decode(i);
    else
      ++bad;
  PHASE(2, "train");
  printf("%d\n", bad);
}

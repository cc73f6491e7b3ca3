// A jump may name a loop around it by the label (C2y): a hook between the two is refused,
// and hooks in the loop, around its label and at the jumps work.
// REQUIRES: named-loops
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not loopscope-rewrite %s -o out.c -- -std=c2y -DREFUSED 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %clang -std=c2y -Wall -Wextra -Werror -Wno-unknown-attributes %s -o plain && ./plain > expected
// RUN: loopscope-launch %clang -std=c2y -Wall -Wextra -Werror -Wno-unknown-attributes %s -o hooked
// RUN: env LOOPSCOPE=report=none,output=p.loopscope ./hooked > out && diff expected out
// RUN: loopscope report --view tree --format csv --columns name,calls p.loopscope | FileCheck %s --check-prefix=CALLS
// CALLS-DAG: "around",1{{$}}
// CALLS-DAG: "epoch",3{{$}}
// CALLS-DAG: "jump",1{{$}}
// CALLS-DAG: "jump",1{{$}}
// CALLS-DAG: "other",1{{$}}
#include <stdio.h>

int main(void) {
  int n = 0;
  [[loopscope::phase("around")]] {
  outer:
    [[loopscope::epoch]] for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 3; ++j) {
        ++n;
        if (i == 2)
          [[loopscope::phase("jump")]] break outer;
        if (i == 1)
          [[loopscope::phase("jump")]] { continue outer; }
      }
  }
  // A label that no jump in the loop names is no obstacle.
unnamed:
  [[loopscope::phase("other")]] for (int i = 0; i < 2; ++i)
    n += i;
  if (n < 0)
    goto unnamed;
#ifdef REFUSED
first:
  // CHECK: named-loop.c:[[@LINE+1]]:5: error: a 'break' or 'continue' in the code that 'loopscope::phase' covers names its label; {{.*}} [named-loop]
  [[loopscope::phase("a")]] while (n > 0) {
    for (;;)
      if (--n)
        break first;
  }
choice:
  // CHECK: named-loop.c:[[@LINE+1]]:5: error: a 'break' or 'continue' in the code that 'loopscope::phase' covers names its label; {{.*}} [named-loop]
  [[loopscope::phase("b")]] switch (n) {
  default:
    for (;;)
      break choice;
  }
#endif
  printf("%d\n", n);
}

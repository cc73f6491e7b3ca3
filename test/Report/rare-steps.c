// Three steps of 200 take 700 ms, the others 10 ms, so that waits for a processor are short beside them.
// The overview and the account say so, within an eighth, as durations are counted in buckets; they say nothing where all steps are alike.
// The program counts its own long steps, because a busy machine makes more of them.
// RUN: %gcc -O1 -Wall -Werror -I %S/../Verdict/Inputs %runtime_include %s -o %t %runtime_lib
// RUN: rm -f %t.slow %t.even && env LOOPSCOPE=report=none,output=%t.slow %t 700 > %t.own
// RUN: loopscope report %t.slow --view overview --width 200 | FileCheck %s
// RUN: loopscope report %t.slow --view account --width 200 | FileCheck %s
// RUN: env LOOPSCOPE=report=none,output=%t.even %t 0 > %t.own
// RUN: loopscope report %t.even --view account --width 200 > %t.txt
// RUN: if grep -q '^long 0$' %t.own; then FileCheck %s --check-prefix=EVEN < %t.txt; else FileCheck %s --check-prefix=BUSY < %t.txt; fi
// CHECK: {{^[0-9]+}} of 199 steps took at least 10 times the median of {{[0-9.]+.?.s: about (1[.][89][0-9]* s|[2-9][.][0-9]+ s|[1-9][0-9][.][0-9]+ s) of [0-9.]+ s together.}}
// EVEN-NOT: times the median of
// BUSY: {{^train  rare-steps.c:[0-9]+ .* 199 }}
#include "truth.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int slow = argc > 1 ? atoi(argv[1]) : 0;
  int longs = 0;
  LOOP();
  for (int I = 0; I < 200; ++I) {
    double begin = seconds(CLOCK_MONOTONIC);
    STEP();
    PHASE(3, save);
    nap(I % 60 == 20 && slow != 0 && I < 180 ? slow : 10);
    longs += seconds(CLOCK_MONOTONIC) - begin > 0.05;
  }
  printf("long %d\n", longs);
  return finish();
}

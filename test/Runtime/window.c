// window=wait:warmup:active:repeat counts only the active steps and their phases; the
// loop's time stays complete.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,window=3:1:2:2,warmup=0,output=%t.loopscope %t
// RUN: loopscope report --view tree --format csv %t.loopscope | cut -d, -f2-5 | tr -d '"' | FileCheck %s
// CHECK-DAG: train
// CHECK-DAG: step
// RUN: loopscope report --view simple --format csv %t.loopscope | cut -d, -f2,4 | tr -d '"' | FileCheck %s --check-prefix=SIMPLE
// SIMPLE-DAG: {{^}}work,6{{$}}
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=TOLD
// TOLD: {{^}}94 steps: outside the window
#include <loopscope/hooks.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 14, "main");
  for (int i = 0; i < 100; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    __LOOPSCOPE_SPAN(3, PHASE, "work", 17, "main");
  }
}

// After link-time optimization, an inlined function was written in another unit than the one that has its code; lines and loops are
// found all the same.
// REQUIRES: x86, libdw
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g -flto %s -o train
// RUN: loopscope run --format json -o found.json -- ./train && %python %S/Inputs/check_loops.py found.json train 17 backward=60 forward=30 load_batch=10
// RUN: loopscope report train.*.loopscope --view functions --format csv | FileCheck %s
// CHECK: ,"burn","train","{{.*}}known-loop.h",
#include "Inputs/known-loop.h"

__attribute__((always_inline)) static inline void batch(void) {
  load_batch();
  forward();
  backward();
}

__attribute__((noinline)) static void train(int steps) {
  for (int i = 0; i < steps; ++i)
    batch();
}

int main(void) {
  train(450);
  return 0;
}

// From samples to marks: the rules that `loopscope suggest` writes for an unprepared program
// measure its loop in the next build, each step and each call exactly.
// REQUIRES: x86, libdw, rewriter
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g %s -o train
// RUN: loopscope run -- ./train && loopscope suggest train.*.loopscope -o loops.yaml
// RUN: loopscope-launch --select=$PWD/loops.yaml %gcc -O2 -g -I %S %s -o marked
// RUN: env LOOPSCOPE=report=none,warmup=0,output=m.loopscope ./marked | FileCheck %s --check-prefix=SAME
// RUN: loopscope report m.loopscope --view throughput --format csv --columns action,calls | FileCheck %s
//   CHECK-DAG: "fit","step",450{{$}}
//   CHECK-DAG: "fit","load_batch",450{{$}}
//   CHECK-DAG: "fit","forward",450{{$}}
//   CHECK-DAG: "fit","backward",450{{$}}
// SAME: {{^}}done{{$}}
#include "Inputs/known-loop.h"

static void train(int steps) {
  for (int i = 0; i < steps; ++i) {
    load_batch();
    forward();
    backward();
  }
}

int main(void) {
  train(450);
  printf("done\n");
  return 0;
}

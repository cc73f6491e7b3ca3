// The iterations that the program gives for its loops are summed per call path, at run time: once per execution of a loop over
// batches, in each epoch of the loop over epochs. Negative numbers, and numbers for spans that aren't loops, are left out.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.a.loopscope %t
// RUN: loopscope watch %t.a.loopscope | FileCheck %s --match-full-lines
// CHECK: {{[0-9]+ s  18 steps of 18, 100%  .*  ended}}
// RUN: loopscope report --view tree %t.a.loopscope | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}1 count: of samples, bytes or iterations, negative, taken as 0.{{$}}
// Killed in the second of three epochs, after 7 steps of it.
// RUN: env LOOPSCOPE=report=none,output=%t.k.loopscope %t kill || true
// RUN: loopscope watch %t.k.loopscope | FileCheck %s --check-prefix=KILLED --match-full-lines
// KILLED: {{[0-9]+ s  7 steps of 18, 39%  .*}}
// RUN: env LOOPSCOPE=report=none,output=%t.o.loopscope,window=1:1:2:1 %t
// RUN: loopscope watch %t.o.loopscope | FileCheck %s --check-prefix=WINDOW --match-full-lines
// WINDOW: {{[0-9]+ s  [0-9]+ steps  .*}}
#include <loopscope/hooks.h>

#include <signal.h>

int main(int argc, char **argv) {
  (void)argv;
  for (int epoch = 0; epoch < 3; ++epoch) {
    __LOOPSCOPE_SPAN(1, EPOCH, "epoch", __LINE__, "main");
    __LOOPSCOPE_ITERATIONS(1, 3L);
    {
      __LOOPSCOPE_SPAN(2, TRAIN, "train", __LINE__, "main");
      __LOOPSCOPE_ITERATIONS(2, 6U);
      for (int i = 0; i < 6; ++i) {
        __LOOPSCOPE_STEP(3, 2);
        __LOOPSCOPE_SPAN(4, PHASE, "p", __LINE__, "main");
        __LOOPSCOPE_ITERATIONS(4, 1000);
        if (argc > 1 && epoch == 1 && i == 1)
          raise(SIGKILL);
      }
    }
    __LOOPSCOPE_SPAN(5, VALID, "valid", __LINE__, "main");
    if (epoch == 2) {
      __LOOPSCOPE_ITERATIONS(5, -1);
    }
  }
  return 0;
}

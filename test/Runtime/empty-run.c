// A program that runs no hook leaves a profile without spans, and the report says
// so.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t
// RUN: not loopscope report %t.loopscope 2>&1 | FileCheck %s
// CHECK: the run recorded no span
#include <loopscope/hooks.h>

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 5) {
    __LOOPSCOPE_SPAN(1, PHASE, "never", 13, "main");
  }
}

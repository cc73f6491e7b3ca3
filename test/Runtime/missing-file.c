// The report names a file that was built without hooks.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t
// RUN: loopscope report %t.loopscope | FileCheck %s
// CHECK: layers.cpp
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 9, "main");
  loopscope_missing_file("src/layers.cpp");
}

// A static program links the runtime without linker warnings, and has a profile and a
// report.
// REQUIRES: static-libc
// RUN: rm -f %t.loopscope && %gcc -O1 -static -Wl,--fatal-warnings %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=output=%t.loopscope %t 2>&1 | FileCheck %s
// RUN: loopscope report --format csv %t.loopscope | FileCheck %s
// CHECK: work
#include <loopscope/hooks.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 12, "main");
}

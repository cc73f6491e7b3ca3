// A relocatable static program has no loader that could be asked for libraries: it runs, has a
// profile and a report, and runs with profiling off.
// REQUIRES: static-libc, clang
// RUN: rm -f %t.loopscope && %gcc -O1 -static-pie -fPIE -Wl,--fatal-warnings %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=output=%t.loopscope %t 2>&1 | FileCheck %s
// RUN: loopscope report --format csv %t.loopscope | FileCheck %s --check-prefix ROW
// RUN: env LOOPSCOPE=off %t | FileCheck %s --check-prefix RAN
// RUN: rm -f %t.loopscope && %clang -static-pie -fPIE %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=output=%t.loopscope,stacks %t 2>&1 | FileCheck %s
// RUN: env LOOPSCOPE=off %t | FileCheck %s --check-prefix RAN
// RAN: {{^}}ran 1{{$}}
// CHECK: {{^}}ran 1{{$}}
// CHECK: work
// ROW: work{{.*}},1,
#include <loopscope/hooks.h>
#include <stdio.h>

int main(int argc, char **argv) {
  (void)argv;
  __LOOPSCOPE_SPAN(1, PHASE, "work", 22, "main");
  printf("ran %d\n", argc);
}

// A pragma that requires a loop after it keeps it, in any spelling of the pragma.
// RUN: %same --spans %s | FileCheck %s
// CHECK: pragma-operator.c: refused [pragma-loop]
// CHECK-NEXT: {{^}}  1 diagnostic{{$}}
// CHECK-NEXT: {{^}}  4 epoch{{$}}
#include <loopscope/annotate.h>
#include <stdio.h>

#define UNROLL _Pragma("GCC unroll 4")
#define IVDEP \
  _Pragma("GCC ivdep")
static int f(int n) { return n + 1; }

int main(void) {
  int n = 0;
  _Pragma("GCC unroll 4") LOOPSCOPE_PHASE("operator") for (int i = 0; i < 4; ++i) n = f(n);
  UNROLL LOOPSCOPE_PHASE("macro") for (int i = 0; i < 4; ++i) n = f(n);
  IVDEP LOOPSCOPE_PHASE("gcc's") for (int i = 0; i < 4; ++i) n = f(n);
  LOOPSCOPE_EPOCH for (int i = 0; i < 4; ++i) n = f(n);
#pragma GCC diagnostic push
  LOOPSCOPE_PHASE("diagnostic") for (int i = 0; i < 4; ++i) n = f(n);
#pragma GCC diagnostic pop
  printf("%d\n", n);
  return 0;
}

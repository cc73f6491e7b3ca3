// An annotation macro in a macro's argument is found, however many macros are around it.
// RUN: %same --spans --modes=phases %s | FileCheck %s
// CHECK: macro-in-argument.cpp: same
// CHECK-DAG: {{^ +}}1 statement{{$}}
// CHECK-DAG: {{^ +}}2 block{{$}}
// CHECK-DAG: {{^ +}}1 deep{{$}}
// CHECK-DAG: {{^ +}}1 declaration{{$}}
// CHECK-DAG: {{^ +}}2 raw{{$}}
// CHECK-DAG: {{^ +}}1 wrapper{{$}}
#include <cstdio>
#include <loopscope/annotate.h>

#define SAME(x) x
#define TWICE(x) x x
#define WRAPPER(name) LOOPSCOPE_PHASE(name)

static int f(int n) { return n + 1; }

int main(int argc, char **) {
  if (argc > 0) SAME(LOOPSCOPE_PHASE("statement") f(1);)
  else SAME(LOOPSCOPE_PHASE("else") f(2);)
  TWICE({ LOOPSCOPE_PHASE("block") f(1); })
  SAME(SAME({
    LOOPSCOPE_PHASE("deep") f(1);
  }))
  SAME(LOOPSCOPE_PHASE("declaration") int n = f(3);)
  TWICE({ [[loopscope::phase("raw")]] int k{f(n)}; (void)k; })
  SAME(WRAPPER("wrapper") std::printf("%d\n", n);)
}

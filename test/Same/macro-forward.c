// A macro may hand its argument, hooks included, to other macros with one parameter.
// RUN: %same --spans --modes=phases %s | FileCheck %s
// CHECK: macro-forward.c: same
// CHECK-DAG: {{^ +}}2 statement{{$}}
// CHECK-DAG: {{^ +}}2 deep{{$}}
// CHECK-DAG: {{^ +}}1 declaration{{$}}
// CHECK-DAG: {{^ +}}1 reduce{{$}}
// CHECK-DAG: {{^ +}}4 train/step/batch/step{{$}}
#include <loopscope/annotate.h>
#include <stdio.h>

#define RUN(x) x
#define TWICE(x) RUN(x) RUN(x)
#define THIRD(x) TWICE(x)
#define PAIR(a, b) RUN(a) RUN(b)

int main(void) {
  int s = 0;
  TWICE(LOOPSCOPE_PHASE("statement") s++;)
  THIRD(PAIR(LOOPSCOPE_PHASE("deep") s += 2;, ++s;))
  PAIR(LOOPSCOPE_PHASE("declaration") int n = s + 1;, s += n;)
  RUN(LOOPSCOPE_COLLECTIVE_BYTES("reduce", "sizeof(int[2])") s += n;)
  TWICE(LOOPSCOPE_TRAIN("n") while (s < 60) {
    s += n;
    LOOPSCOPE_PHASE("step") ++s;
  })
  printf("%d\n", s);
  return 0;
}

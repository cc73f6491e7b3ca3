// A macro may hand its argument, hooks included, to other macros with one parameter.
// RUN: %same --spans --modes=phases %s | FileCheck %s
// CHECK: macro-forward.cpp: same
// CHECK-DAG: {{^ +}}2 statement{{$}}
// CHECK-DAG: {{^ +}}2 deep{{$}}
// CHECK-DAG: {{^ +}}1 declaration{{$}}
// CHECK-DAG: {{^ +}}3 train/step/batch/step{{$}}
// CHECK-DAG: {{^ +}}1 braced{{$}}
#include <cstdio>
#include <loopscope/annotate.h>

#define RUN(x) x
#define TWICE(x) RUN(x) RUN(x)
#define THIRD(x) TWICE(x)
#define PAIR(a, b) RUN(a) RUN(b)
#define WITH(x, ...) RUN(x) __VA_ARGS__
#define FIRST(x, ...) WITH(x, __VA_ARGS__)

template <int A, int B> int sum() { return A + B; }

int main() {
  int s = 0;
  TWICE([[loopscope::phase("statement")]] s++;)
  THIRD(PAIR(LOOPSCOPE_PHASE("deep") s += 2;, ++s;))
  PAIR(LOOPSCOPE_PHASE("declaration") int n = s + 1;, s += n;)
  FIRST([[loopscope::train("sum<1, 2>()")]] [[loopscope::flops("s * 2.0")]]
        while (s < 40) { s += n; [[loopscope::phase("step")]] ++s; }, ++s;)
  RUN(RUN({ [[loopscope::phase("braced")]] int k{s}; std::printf("%d\n", k); }))
}

// OpenMP: a construct that a directive takes as a whole keeps its form; its contents are timed.
// RUN: %same --spans --only=gcc --modes=phases --levels=-O0 %s -- -fopenmp | FileCheck %s
// CHECK: openmp-nest.c: refused [directive-part]
// CHECK-DAG: {{^ +}}1 around{{$}}
// CHECK-NOT: nest
#include <loopscope/annotate.h>
#include <stdio.h>

int main(void) {
  int s = 0, v = 0, x = 0, y[9] = {0};
  LOOPSCOPE_PHASE("around") {
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < 10; i++)
      LOOPSCOPE_PHASE("nest") for (int j = 0; j < 10; j++) {
        LOOPSCOPE_PHASE("body") s += i * j;
      }
  }
#pragma omp parallel for ordered(2)
  for (int i = 1; i < 4; i++)
    LOOPSCOPE_EPOCH for (int j = 1; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      LOOPSCOPE_PHASE("body") y[i] += j;
#pragma omp ordered depend(source)
    }
#pragma omp parallel sections
  {
    LOOPSCOPE_PHASE("section") s++;
#pragma omp section
    { LOOPSCOPE_PHASE("section") x++; }
  }
#pragma omp parallel
#pragma omp single
  LOOPSCOPE_PHASE("single") { s++; }
#pragma omp parallel
#pragma omp critical
  LOOPSCOPE_PHASE("critical") v += 0;
  printf("%d %d %d %d\n", s, v, x, y[3]);
  return 0;
}

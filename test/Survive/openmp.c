// Phases in an OpenMP team are counted on every one of its threads.
// REQUIRES: openmp
// RUN: %survive_c -fopenmp
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}region,10{{$}}
// CHECK-DAG: {{^}}item,10000{{$}}
#include "survive.h"
#include <stdio.h>

int main(void) {
  long sum = 0;
  for (int round = 0; round < 10; ++round) {
    PHASE(1, "region");
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) {
      PHASE(2, "item");
      sum += i;
    }
  }
  printf("%ld\n", sum);
}

// A program that forbids all its threads to open files continues, and so does the
// sampler, with the figures that it can still read.
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// Metrics that the sampler hadn't begun to record stay in memory, and the report lists
// them as missing.
// RUN: { %calls || true; } | FileCheck %s
// CHECK-DAG: {{^}}before,1{{$}}
// CHECK-DAG: {{^}}after,1{{$}}
#include "forbid_files.h"
#include "survive.h"
#include <stdio.h>

int main(void) {
  PHASE(1, "before");
  usleep(30000);
  END(1);
  long failed = forbid_files(SECCOMP_FILTER_FLAG_TSYNC);
  PHASE(2, "after");
  usleep(100000);
  printf("%ld %d\n", failed, fopen("/proc/self/stat", "r") == NULL);
}

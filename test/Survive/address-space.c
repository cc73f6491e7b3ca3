// A C program in 32 MB of address space runs, and is profiled.
// RUN: env SURVIVE_RUN='ulimit -v 32768; exec "$@"' %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,1000{{$}}
#include "survive.h"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}

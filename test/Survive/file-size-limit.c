// Under `ulimit -f` the profile can't be made: one line says so, no SIGXFSZ.
// RUN: env SURVIVE_RUN='ulimit -f 8; exec "$@"' %survive_c
// RUN: count 2 < %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: loopscope: {{.*}}ulimit -f
#include "survive.h"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}

// If a program forbids itself to open files, later data stays in memory, and one line
// gives the reason.
// RUN: env SURVIVE_OPTIONS=devices=off %survive_c
// RUN: count 2 < %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: loopscope: the profile {{.*}} cannot grow: permission denied; new call paths are kept in memory
#include "forbid_files.h"
#include "survive.h"
#include <stdio.h>

static void down(int levels) {
  PHASE(1, "work");
  if (levels > 0)
    down(levels - 1);
}

int main(void) {
  down(0);
  long failed = forbid_files(0);
  down(2000);
  printf("%ld\n", failed);
}

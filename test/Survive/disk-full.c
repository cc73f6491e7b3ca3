// A full disk: one line says so, there is no SIGBUS, and the program's own output is
// unchanged.
// REQUIRES: mount
// RUN: env SURVIVE_RUN='unshare -m sh -c "mount -t tmpfs -o size=64k none /mnt && exec env LOOPSCOPE=output=/mnt/x.loopscope,report=none $1"' %survive_c
// RUN: count 2 < %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: loopscope: {{.*}}no space left
#include "survive.h"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}

// Without /proc (a chroot, a sandbox) everything works except the names that only /proc
// has.
// REQUIRES: mount
// RUN: env SURVIVE_RUN='unshare -m sh -c "mount -t tmpfs none /proc && exec $1"' %survive_c
// RUN: %calls | FileCheck %s
// RUN: count 0 < %t.err
// CHECK-DAG: {{^}}work,1000{{$}}
#include "survive.h"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}

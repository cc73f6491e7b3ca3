// A directory that one can't write to: one line says so, and the program runs.
// REQUIRES: setpriv
// RUN: env SURVIVE_RUN='exec setpriv --reuid=65534 --regid=65534 --clear-groups env LOOPSCOPE=report=none,output=/var/lib/x.loopscope "$1"' %survive_c
// RUN: count 1 < %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: loopscope: {{.*}}/var/lib/x.loopscope: permission denied
#include "survive.h"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}

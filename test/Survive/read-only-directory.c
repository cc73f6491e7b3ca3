// A directory without write permission: one line says so, and the program runs. The
// program is copied, because a clone in /root is closed to other users.
// REQUIRES: setpriv
// RUN: env SURVIVE_RUN='d=$(mktemp -d -p /tmp) && chmod 755 $d && cp "$1" $d/program && exec setpriv --reuid=65534 --regid=65534 --clear-groups env LOOPSCOPE=report=none,output=/var/lib/x.loopscope $d/program' %survive_c
// RUN: count 2 < %t.err
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

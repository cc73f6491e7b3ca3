// A vfork()ed child borrows the parent's memory, including its profile: nothing in it is
// lost or doubled.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: ls %t.*loopscope* | count 1
// CHECK-DAG: {{^}}spawn,20{{$}}
#include "survive.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 20; ++i) {
    PHASE(1, "spawn");
    if (vfork() == 0) {
      execlp("true", "true", (char *)0);
      _exit(1);
    }
    wait(NULL);
  }
  puts("done");
}

// A forked child that doesn't exec gets its own profile; the parent's has only the
// parent's spans.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: ls %t.*loopscope* | count 2
// RUN: mv %t.loopscope %t.parent; mv %t.*loopscope* %t.loopscope
// RUN: %calls | FileCheck %s --check-prefix=CHILD
// CHECK-NOT: in child
// CHECK-DAG: {{^}}work,7{{$}}
// CHILD-DAG: {{^}}work,2{{$}}
// CHILD-DAG: {{^}}in child,5{{$}}
#include "survive.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void) { PHASE(1, "work"); }

int main(void) {
  for (int i = 0; i < 3; ++i)
    work();
  pid_t child = fork();
  for (int i = 0; child == 0 && i < 5; ++i) {
    PHASE(2, "in child");
  }
  for (int i = 0; i < (child ? 4 : 2); ++i)
    work();
  if (child)
    wait(NULL);
}

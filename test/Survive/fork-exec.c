// A child that execs another program doesn't change the parent's profile, and the
// parent's open span continues.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}child's life,1{{$}}
// CHECK-DAG: {{^}}after,3{{$}}
#include "survive.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  {
    PHASE(1, "child's life");
    if (fork() == 0) {
      execlp("echo", "echo", "hello", (char *)0);
      _exit(1);
    }
    wait(NULL);
  }
  for (int i = 0; i < 3; ++i) {
    PHASE(2, "after");
  }
}

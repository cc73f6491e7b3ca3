// Children that don't come through fork() write nothing into the parent's profile, however
// they are made, and whether they go on, exit or record in a profile of their own.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-NOT: child
// CHECK-DAG: {{^}}work,20{{$}}
// RUN: loopscope report --view tree %t.loopscope | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: not finished
// WHOLE-NOT: ignored
#define _GNU_SOURCE
#include "survive.h"
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int times) {
  for (int i = 0; i < times; ++i) {
    PHASE(1, "work");
  }
}

static pid_t by_clone(void) {
  return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
static pid_t by_call(void) { return (pid_t)syscall(SYS_fork); }

int main(void) {
  pid_t (*ways[])(void) = {_Fork, by_call, by_clone};
  work(2);
  for (int way = 0; way < 3; ++way)
    for (int end = 0; end < 3; ++end) {
      PHASE(2, "around");
      pid_t child = ways[way]();
      if (child == 0) {
        if (end > 0)
          work(50);
        if (end > 1) {
          PHASE(3, "in child");
        }
        fflush(stdout);
        end == 1 ? _exit(3) : exit(3);
      }
      int status;
      waitpid(child, &status, 0);
      work(2);
    }
  puts("ok");
}

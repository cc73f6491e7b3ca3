// The code of a main thread that leaves by the system call exit() stays the process's, though
// threads of ours end after it: the function of a clone()d child returns, a program calls it.
// RUN: %survive_c
// RUN: env SURVIVE_OPTIONS=devices=10 %survive_c
// RUN: %calls | FileCheck %s
// CHECK-NOT: child
// CHECK-DAG: {{^}}work,2{{$}}
#define _GNU_SOURCE
#include "survive.h"
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void) {
  PHASE(1, "work");
  usleep(2000);
}

static int child(void *code) {
  PHASE(2, "in child");
  usleep(2000);
  END(2);
  return *(int *)code;
}

int main(void) {
  static char stack[1 << 16];
  static int codes[] = {0, 7, 255};
  work();
  for (int i = 0; i < 3; ++i) {
    int status = -1;
    pid_t id = clone(child, stack + sizeof(stack), SIGCHLD, &codes[i]);
    if (waitpid(id, &status, 0) == id)
      printf("%x\n", status);
  }
  work();
  fflush(stdout);
  syscall(SYS_exit, 3);
}

// fork() is allowed in signal handlers, also where the handler interrupts a hook at a
// first visit: the runtime's own handler of fork() doesn't wait for the interrupted hook.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}end,1{{$}}
#include "survive.h"
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sink;
static volatile int beats;

static void beat(int number) {
  (void)number;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
  ++beats;
  // Fork takes longer than hooks: the next beat leaves time for the program.
  struct itimerval next = {{0, 0}, {0, 100}};
  setitimer(ITIMER_REAL, &next, NULL);
}

static void deep(int depth, int path) {
  if (depth == 0) {
    sink += 1;
  } else if (path % 2) {
    PHASE(1, "a");
    deep(depth - 1, path / 2);
  } else {
    PHASE(2, "b");
    deep(depth - 1, path / 2);
  }
}

int main(void) {
  signal(SIGALRM, beat);
  beat(0);
  for (int i = 0; beats < 300; ++i)
    deep(13, i);
  struct itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &off, NULL);
  PHASE(3, "end");
  puts("ok");
}

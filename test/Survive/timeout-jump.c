// A time-out's handler leaves whatever it interrupts by siglongjmp, also hooks at first
// visits, which hold the runtime's lock: no thread waits for ever, and what is recorded
// afterwards is complete.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}end,200{{$}}
#include "survive.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static __thread sigjmp_buf back;
static __thread volatile int armed;
static volatile double sink;

static void timeout(int number) {
  (void)number;
  if (armed)
    siglongjmp(back, 1);
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

static void *task(void *unused) {
  if (sigsetjmp(back, 1) == 0) {
    armed = 1;
    for (int i = 0; i < 4096; ++i)
      deep(12, i);
  }
  armed = 0;
  PHASE(3, "end");
  return unused;
}

int main(void) {
  signal(SIGUSR1, timeout);
  for (int i = 0; i < 200; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, task, NULL);
    usleep(rand() % 400);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
  }
  puts("ok");
}

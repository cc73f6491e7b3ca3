// Threads that are cancelled at any instruction, also in hooks, end; the runtime's lock
// isn't left behind.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}end,300{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile double sink;

static void *task(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;) {
    PHASE(1, "outer");
    PHASE(2, "inner");
    sink += 1;
  }
  return unused;
}

int main(void) {
  for (int i = 0; i < 300; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, task, NULL);
    usleep(rand() % 300);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    PHASE(3, "end");
  }
  puts("ok");
}

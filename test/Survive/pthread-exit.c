// pthread_exit inside phases: their time is in the profile, and a thread that reuses the
// tree starts afresh.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}outer,40{{$}}
// CHECK-DAG: {{^}}inner,40{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdio.h>

static void *body(void *argument) {
  PHASE(1, "outer");
  PHASE(2, "inner");
  pthread_exit(argument);
}

int main(void) {
  long ended = 0;
  for (long i = 0; i < 40; ++i) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, body, (void *)i);
    pthread_join(thread, &result);
    ended += (long)result == i;
  }
  printf("%ld\n", ended);
}

// The main thread may leave by pthread_exit while another one continues recording.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}later,100{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *body(void *argument) {
  usleep(20000);
  for (int i = 0; i < 100; ++i) {
    PHASE(1, "later");
  }
  puts("done");
  return argument;
}

int main(void) {
  pthread_t thread;
  PHASE(2, "start");
  pthread_create(&thread, NULL, body, NULL);
  END(2);
  pthread_exit(NULL);
}

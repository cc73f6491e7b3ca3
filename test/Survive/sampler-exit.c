// The sampler sleeps for an hour here, and no program waits for it, not even one whose
// main thread leaves by pthread_exit, with or without a hook in it.
// RUN: env SURVIVE_OPTIONS=devices=3600000ms SURVIVE_RUN='timeout 60 "$1"' %survive_c
// RUN: %calls | FileCheck %s
// RUN: env SURVIVE_OPTIONS=devices=3600000ms SURVIVE_RUN='timeout 60 "$1" hook' %survive_c
// CHECK-DAG: {{^}}worker,1{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *body(void *argument) {
  PHASE(1, "worker");
  usleep(20000);
  puts("done");
  return argument;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t thread;
  if (argc > 1) {
    PHASE(2, "main");
    pthread_create(&thread, NULL, body, NULL);
    pthread_exit(NULL);
  }
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
}

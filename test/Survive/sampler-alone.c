// A program whose main thread never ran a hook and left by pthread_exit ends with its
// last thread; the sampler doesn't count as one.
// RUN: env SURVIVE_OPTIONS=devices=10ms SURVIVE_RUN='timeout 60 "$1"' %survive_c
// RUN: env SURVIVE_OPTIONS=devices=10ms SURVIVE_RUN='timeout 60 "$1" quick' %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}worker,1{{$}}
#include "survive.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int quick;

static void *body(void *argument) {
  PHASE(1, "worker");
  usleep(quick ? 0 : 50000);
  puts("done");
  return argument;
}

int main(int argc, char **argv) {
  (void)argv;
  quick = argc > 1;
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
}

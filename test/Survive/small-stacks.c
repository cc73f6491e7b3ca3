// The process's first hook may be on a thread with the smallest stack, whatever is looked for
// then; and later ones on small stacks of fibres, whose neighbourhood stays as it is.
// RUN: %survive_c
// RUN: env SURVIVE_OPTIONS=advanced %survive_c
// RUN: env SURVIVE_OPTIONS=operators=on,nvtx=on,trace,devices=10 %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}thread,3{{$}}
// CHECK-DAG: {{^}}fibre,3{{$}}
#define _GNU_SOURCE
#include "survive.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static ucontext_t home, fibre;

static void *thread(void *argument) {
  PHASE(1, "thread");
  return argument;
}

static void enter(void) {
  PHASE(2, "fibre");
}

int main(void) {
  static char memory[32 << 10];
  pthread_attr_t smallest;
  pthread_attr_init(&smallest);
  pthread_attr_setstacksize(&smallest, PTHREAD_STACK_MIN);
  for (int i = 0; i < 3; ++i) {
    pthread_t id;
    if (pthread_create(&id, &smallest, thread, NULL) == 0)
      pthread_join(id, NULL);
  }
  for (size_t size = 8 << 10; size <= 16 << 10; size += 4 << 10) {
    char *low = memory + sizeof(memory) - size;
    memset(memory, 1, sizeof(memory) - size);
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = low;
    fibre.uc_stack.ss_size = size;
    fibre.uc_link = &home;
    makecontext(&fibre, enter, 0);
    swapcontext(&home, &fibre);
    while (low > memory && low[-1] == 1)
      --low;
    printf("%zu %s\n", size, low == memory ? "ok" : "written below");
  }
}

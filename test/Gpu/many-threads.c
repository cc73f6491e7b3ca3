// One buffer per thread for many threads, as CUPTI 13 requires: nothing is lost.
// RUN: printf '%%s\n' 'default 1us' 'latency 1us' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 600 records 600 ended
// CHECK: counters{{ *$}}
#include "gpu.h"
#include <pthread.h>

enum { Threads = 600 };
static pthread_barrier_t all;

static void *train(void *unused) {
  {
    PHASE(1, "train");
    launch("work", NULL);
  }
  pthread_barrier_wait(&all);
  return unused;
}

int main(void) {
  static pthread_t threads[Threads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 17);
  pthread_barrier_init(&all, NULL, Threads);
  for (int i = 0; i < Threads; ++i)
    pthread_create(&threads[i], &small, train, NULL);
  for (int i = 0; i < Threads; ++i)
    pthread_join(threads[i], NULL);
}

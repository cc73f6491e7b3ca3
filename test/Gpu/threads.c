// Work of a thread without a phase belongs to the main thread's
// phase at that moment; a thread with phases has its own.
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: launches 60 records 60 ended
// CHECK: counters foreign=20{{( |$)}}
// CHECK-DAG: work main/backward kernel gradient device 0 count 20 no_time
// CHECK-DAG: work main/forward kernel forward device 0 count 20 no_time
// CHECK-DAG: work thread/loader kernel decode device 0 count 20 no_time
// CHECK-DAG: node thread/loader launches 20 waits 1 calls
#include "gpu.h"
#include <pthread.h>

static void *gradients(void *unused) {
  for (int i = 0; i < 20; ++i)
    launch("gradient", NULL);
  return unused;
}

static void *load(void *unused) {
  PHASE(1, "loader");
  for (int i = 0; i < 20; ++i)
    launch("decode", NULL);
  cudaDeviceSynchronize();
  return unused;
}

static void run(void *(*function)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}

int main(void) {
  {
    PHASE(2, "forward");
    for (int i = 0; i < 20; ++i)
      launch("forward", NULL);
  }
  run(load);
  PHASE(3, "backward");
  run(gradients);
  cudaDeviceSynchronize();
}

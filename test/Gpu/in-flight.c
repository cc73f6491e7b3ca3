// A device that is never idle has a kernel in flight at every flush, so
// CUPTI returns the thread's buffer when it is full or the program ends,
// seconds after other threads' records of the same time. Nothing becomes
// late or idle because of that, and waits are charged to their work.
// REQUIRES: long
// RUN: printf '%%s\n' 'kernel long 50ms' 'kernel short 1ms' 'latency 1us' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches {{.*}} ended
// CHECK: counters{{ *$}}
// CHECK-DAG: work main/train kernel long device 0 count 90 no_time 0 ms 4500.000 min
// CHECK-DAG: sums main/train device 0 busy 4500.000 kernels 4500.000 idle 0.
// CHECK-DAG: device 0 {{.*}} busy 450{{[0-9.]+}} kernels 450{{[0-9.]+}} copies 0.000 filled
// CHECK-DAG: wait main/train for main/train ms 4{{[345][0-9][0-9][.][0-9]+$}}
#include "gpu.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ended;

static void *other(void *unused) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  while (!ended) {
    PHASE(1, "other");
    launch("short", stream);
    cudaStreamSynchronize(stream);
    usleep(10000);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  cudaStream_t stream;
  enum { Ahead = 8 }; // the host may be late by seven kernels
  cudaEvent_t events[Ahead];
  for (int i = 0; i < Ahead; ++i)
    cudaEventCreate(&events[i]);
  cudaStreamCreate(&stream);
  {
    PHASE(2, "train");
    for (int i = 0; i < 90; ++i) {
      launch("long", stream);
      if (i == 0) // only now, or the device would be idle earlier
        pthread_create(&thread, NULL, other, NULL);
      if (i >= Ahead)
        cudaEventSynchronize(events[i % Ahead]);
      cudaEventRecord(events[i % Ahead], stream);
    }
    cudaStreamSynchronize(stream);
  }
  ended = 1;
  pthread_join(thread, NULL);
}

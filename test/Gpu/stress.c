// Eight threads launch and wait at once, in their own phases, with
// every call in the timeline: every launch is recorded exactly once.
// RUN: printf '%%s\n' 'default 1us' 'latency 1us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=64M %replayed %s
// RUN: %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 16000 records 16000 ended
// CHECK: counters{{ *$}}
// CHECK-NOT: work - kernel
#include "gpu.h"
#include <pthread.h>

static void *train(void *unused) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int step = 0; step < 100; ++step) {
    {
      PHASE(1, "forward");
      for (int i = 0; i < 10; ++i)
        launch("forward", stream);
    }
    PHASE(2, "backward");
    for (int i = 0; i < 10; ++i)
      launch("backward", stream);
    cudaStreamSynchronize(stream);
  }
  cudaStreamDestroy(stream);
  return unused;
}

int main(void) {
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i)
    pthread_create(&threads[i], NULL, train, NULL);
  for (int i = 0; i < 8; ++i)
    pthread_join(threads[i], NULL);
}

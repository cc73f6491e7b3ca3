// A loop in a worker thread has the figures that it has in main: work of a thread without a
// phase belongs to the loop's phase at that moment, as the main thread is in none. It is main's
// again once main is in a phase.
// RUN: %replayed %s && loopscope report --view kernels --by phase --format csv %t.loopscope | FileCheck %s
// CHECK-DAG: "forward","forward",20,
// CHECK-DAG: "gradient","backward",20,
// CHECK-DAG: "gradient","save",20,
// RUN: loopscope report --view kernels %t.loopscope | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: {{^}}40 launches: by threads without a phase of their own, charged to the phase that the main thread, or else the one that trains, was in.
#define _GNU_SOURCE
#include "gpu.h"
#include <pthread.h>

static void run(void *(*function)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}

static void *gradients(void *unused) {
  for (int i = 0; i < 10; ++i)
    launch("gradient", NULL);
  return unused;
}

static void *train(void *unused) {
  pthread_setname_np(pthread_self(), "trainer");
  TRAIN;
  for (int i = 0; i < 2; ++i) {
    STEP;
    {
      PHASE(1, "forward");
      for (int k = 0; k < 10; ++k)
        launch("forward", NULL);
    }
    PHASE(2, "backward");
    run(gradients);
    cudaDeviceSynchronize();
  }
  return unused;
}

int main(void) {
  run(train);
  PHASE(3, "save");
  run(gradients);
  run(gradients);
  cudaDeviceSynchronize();
}

// With gpu=profiler, the steps count that begin between cudaProfilerStart() and
// cudaProfilerStop(), whichever thread calls them.
// RUN: printf '%%s\n' 'kernel layer 200us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=gpu=profiler %replayed %s && loopscope report --view tree --format csv --columns name,calls,kernels %t.loopscope | FileCheck %s
// CHECK-DAG: {{^}}"main","step",15,40{{$}}
// CHECK-DAG: {{^}}"main","forward",15,15{{$}}
// CHECK-DAG: {{^}}"others","step",{{[1-9][0-9]*}},0{{$}}
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=SAY
// SAY: steps: outside the window (window=, gpu=profiler) or in a pause
//
// Without the word, the calls mean nothing.
// RUN: env SURVIVE_OPTIONS=warmup=0 LOOPSCOPE_REPLAY=%t-scenario %replayed %s && loopscope report --view tree --format csv --columns name,calls,kernels %t.loopscope | FileCheck %s --check-prefix=ALL
// ALL-DAG: {{^}}"main","step",40,40{{$}}
//
// A program that never opens the window, and one without GPU data.
// RUN: cp %t-scenario %t.scenario
// RUN: env SURVIVE_OPTIONS=gpu=profiler %replayed %s -DNEVER && FileCheck %s --check-prefix=NEVER --input-file=%t.err
// NEVER: gpu=profiler: the program never called cudaProfilerStart(), so no step of its loops counts
// RUN: cp %t-scenario %t.scenario
// RUN: env LOOPSCOPE_CUPTI=/nowhere SURVIVE_OPTIONS=gpu=profiler,warmup=0 %replayed %s && FileCheck %s --check-prefix=NONE --input-file=%t.err
// NONE: no GPU data: {{.*}}; so gpu=profiler can't choose steps, and all count
// RUN: loopscope report --view tree --format csv --columns name,calls %t.loopscope | FileCheck %s --check-prefix=COUNTED
// COUNTED-DAG: {{^}}"main","step",40{{$}}
// RUN: cp %t-scenario %t.scenario
// RUN: env SURVIVE_OPTIONS=gpu=profiler,gpu=off,warmup=0 %replayed %s && FileCheck %s --check-prefix=OFF --input-file=%t.err
// OFF: gpu=profiler chooses no steps with gpu=off, and all count
#include "gpu.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int main_ended, other_steps;

static void *other(void *unused) {
  (void)unused;
  TRAIN;
  while (!atomic_load(&main_ended)) {
    STEP;
    spin(CLOCK_MONOTONIC, 0.1);
    atomic_fetch_add(&other_steps, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  pthread_create(&thread, NULL, other, NULL);
  {
    TRAIN;
    for (int step = 0; step < 40; ++step) {
      STEP;
#ifndef NEVER
      // The steps 10 to 19 and 30 to 34: those after the call.
      if (step == 9 || step == 29) {
        cudaProfilerStart();
        // The other thread does two whole steps meanwhile.
        for (int before = atomic_load(&other_steps); atomic_load(&other_steps) < before + 3;)
          spin(CLOCK_MONOTONIC, 0.1);
      }
      if (step == 19 || step == 34)
        cudaProfilerStop();
#endif
      PHASE(1, "forward");
      launch("layer", stream);
      cudaStreamSynchronize(stream);
    }
  }
  atomic_store(&main_ended, 1);
  pthread_join(thread, NULL);
}

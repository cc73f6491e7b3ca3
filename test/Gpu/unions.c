// All unions that a report may need agree with the timeline's
// events: of call paths with everything below them, of names on
// several threads, on several devices and streams; so do idle times,
// and whose work ran during waits. Kernels last from microseconds to
// longer than all others, and some are running at every flush.
// RUN: printf '%%s\n' 'device 0 100 9.0 First' 'device 1 50 8.6 Second' 'latency 1us' >%t-base
// RUN: printf '%%s\n' 'kernel tiny 5us' 'kernel short 300us' 'kernel long 50ms' 'kernel longest 700ms' >>%t-base
// RUN: cp %t-base %t.scenario && env SURVIVE_OPTIONS=trace,cap=64M %replayed %s -pthread
// RUN: loopscope report --view simple --format csv %t.loopscope >%t.csv
// RUN: %check_unions %t.loopscope %t.csv | FileCheck %s
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=ALL
// CHECK: {{^}}1624 pieces of work, {{[0-9]+}} combinations, 0 of some comparisons wrong{{$}}
// CHECK-NOT: {{.}}
// ALL: counters{{ *$}}
//
// The same with records in reverse order and late, with all threads in one
// buffer, with each record in its own, and with a record without its launch.
// RUN: (cat %t-base && printf '%%s\n' 'order reverse' 'hold 3') >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=64M %replayed %s -pthread && %check_unions %t.loopscope | FileCheck %s
// RUN: (cat %t-base && echo 'buffers process') >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=64M %replayed %s -pthread && %check_unions %t.loopscope | FileCheck %s
// RUN: (cat %t-base && printf '%%s\n' 'one-a-buffer' 'orphans 7') >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=64M %replayed %s -pthread && %check_unions %t.loopscope | FileCheck %s
#include "gpu.h"
#include <pthread.h>
#include <unistd.h>

static char to[100000], from[100000];

static void *work(void *device) {
  cudaStream_t stream;
  cudaSetDevice(device != NULL);
  cudaStreamCreate(&stream);
  for (int step = 0; step < 20; ++step) {
    PHASE(1, "work");
    launch("short", stream);
    {
      PHASE(2, "inner");
      for (int i = 0; i < 10; ++i)
        launch("tiny", stream);
      cudaMemcpyAsync(to, from, 1000 * (step + 1), cudaMemcpyHostToDevice, stream);
      PHASE(3, "work"); // nested in itself
      launch("short", stream);
    }
    if (step % 7 == 0)
      launch("long", stream);
    if (step % 3 == 0)
      cudaStreamSynchronize(stream);
  }
  cudaStreamSynchronize(stream);
  return NULL;
}

int main(void) {
  pthread_t threads[5];
  cudaStream_t one;
  launch("short", NULL); // before the first phase
  cudaStreamCreate(&one);
  for (int i = 0; i < 5; ++i)
    pthread_create(&threads[i], NULL, work, i == 4 ? to : NULL);
  {
    PHASE(4, "train");
    launch("longest", one);
    for (int i = 0; i < 300; ++i) {
      PHASE(5, "step");
      launch("tiny", NULL);
      if (i % 50 == 0)
        cudaMemcpy(to, from, 1000, cudaMemcpyDeviceToHost);
      else
        usleep(1000);
    }
    cudaDeviceSynchronize();
  }
  for (int i = 0; i < 5; ++i)
    pthread_join(threads[i], NULL);
  cudaDeviceSynchronize();
  launch("short", NULL);
  cudaDeviceSynchronize();
}

// CUDA calls after collection has ended, in an exit handler or on a thread that never
// stops, end as without us: CUPTI gets a buffer for each record, as CUPTI before 12.9
// needs it. So it does when all buffers are in its hands, and those records are counted.
// RUN: env SURVIVE_RUN='"$@" handler' %replayed12 %s
// RUN: env SURVIVE_RUN='"$@" thread' %replayed12 %s
// RUN: %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on
// CHECK: node main/step launches 100 waits 100{{ }}
// RUN: printf '%%s\n' 'kernel train 20s' one-a-buffer > %t.scenario
// RUN: env SURVIVE_RUN='"$@" many' %replayed12 %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=MANY
// MANY: {{^[0-9,]+}} buffers: of GPU records beyond the memory limit: not kept, in no table
#include "gpu.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;
static void *memory;

// Runs after our end, which is registered later.
static void finish(void) {
  if (memory)
    cudaFree(memory);
  if (how && strcmp(how, "thread") == 0)
    usleep(300000);
}
__attribute__((constructor)) static void start(void) { atexit(finish); }

static void *prefetch(void *unused) {
  for (;;) {
    launch("prefetch", NULL);
    usleep(1000);
  }
  return unused;
}

int main(int argc, char **argv) {
  how = argv[argc - 1];
  int steps = strcmp(how, "many") == 0 ? 5000 : 100;
  cudaMalloc(&memory, 1 << 20);
  for (int step = 0; step < steps; ++step) {
    PHASE(1, "step");
    launch("train", NULL);
    if (steps == 100)
      cudaDeviceSynchronize();
  }
  if (strcmp(how, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, prefetch, NULL);
  }
  puts("trained");
  return 0;
}

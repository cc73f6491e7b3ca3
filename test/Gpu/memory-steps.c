// What each step held of the GPU's memory: the program counts for itself what it holds after each call, in its steps and outside them.
// RUN: env SURVIVE_OPTIONS=trace TRUTH=%t-truth %replayed %s && loopscope report %t.loopscope --view memory --format csv --sort step --rows all >%t.csv
// RUN: %python %S/Inputs/memory_steps.py %t-truth %t.csv
// RUN: loopscope report %t.loopscope --view memory --filter '^1$' | FileCheck %s
// CHECK: {{^}}Step  Memory
// CHECK: {{^}}1     GPU 0 {{.*}} backward
// CHECK: {{^}}GPU 0: at the end of each of the last 20 steps, no less was held than at the end of the step before, and 60 KiB more in all: 3 KiB per step.{{$}}
// Records in reverse order give the same figures.
// RUN: printf '%%s\n' 'order reverse' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace TRUTH=%t-truth %replayed %s && loopscope report %t.loopscope --view memory --format csv --sort step --rows all >%t.csv
// RUN: %python %S/Inputs/memory_steps.py %t-truth %t.csv
// The page's curve has them, and a trace of it.
// RUN: %python %S/../Agree/Inputs/files.py loopscope %t-agree %t.loopscope
// RUN: loopscope export %t.loopscope --to chrome -o %t.json && grep -c '"ph": "C", "name": "memory GPU 0"' %t.json | FileCheck %s --check-prefix=COUNTERS
// COUNTERS: {{^}}202{{$}}
// Without single steps, the report says what to turn on.
// RUN: %replayed %s && not loopscope report %t.loopscope --view memory 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: memory by step needs single steps: run with LOOPSCOPE=trace
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>

enum { Steps = 40 };

// What the program knows: per step what was held at its start, at most, and at its end.
static size_t held, peak;
static const char *peakIn;
static void *allocate(size_t bytes, int isOfPool, const char *phase) {
  void *memory;
  if (isOfPool)
    cudaMallocAsync(&memory, bytes, NULL);
  else
    cudaMalloc(&memory, bytes);
  held += bytes;
  if (held > peak) {
    peak = held;
    peakIn = phase;
  }
  return memory;
}
static void release(void *memory, size_t bytes, int isOfPool) {
  if (isOfPool)
    cudaFreeAsync(memory, NULL);
  else
    cudaFree(memory);
  held -= bytes;
}

int main(void) {
  FILE *truth = getenv("TRUTH") ? fopen(getenv("TRUTH"), "w") : NULL;
  void *weights = allocate(1 << 20, 0, "");
  {
    TRAIN;
    for (int i = 0; i < Steps; ++i) {
      STEP;
      size_t start = held, bytes = (size_t)(1000 + i * 37 % 11 * 100) * 1024;
      peak = held;
      peakIn = "";
      void *activations, *gradients;
      {
        PHASE(2, "forward");
        activations = allocate(bytes, 1, "forward");
        allocate(3 * 1024, 0, "forward"); // is never freed
      }
      {
        PHASE(3, "backward");
        gradients = allocate(i % 2 ? bytes / 2 : 1024, 1, "backward");
        release(activations, bytes, 1);
      }
      {
        PHASE(4, "update");
        release(gradients, i % 2 ? bytes / 2 : 1024, 1);
      }
      if (truth)
        fprintf(truth, "%d %zu %zu %zu %s\n", i, start, peak, held, peakIn);
    }
  }
  release(weights, 1 << 20, 0);
  if (truth)
    fclose(truth);
}

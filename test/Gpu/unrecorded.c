// What a program uses and CUPTI doesn't record is said by name, once for all calls; a call that failed isn't counted, nor the
// driver's call inside another. What CUPTI's own buffers may take is bounded, and said.
// RUN: %replayed %s && loopscope report %t.loopscope | FileCheck %s --check-prefixes=SAID,NEW
// RUN: %replayed12 %s && loopscope report %t.loopscope | FileCheck %s --check-prefixes=SAID,OLD
// NEW-DAG: {{^}}GPU collection's own cost: {{.*}}; its buffers take at most 97.66 MiB of pinned host memory for each context.{{$}}
// OLD-DAG: {{^}}GPU collection's own cost: {{.*}}; its buffers take at most 97.66 MiB of the GPU's memory for each context.{{$}}
// SAID-DAG: {{^}}3 host functions: put into streams; their time is no device work, and in no phase.{{$}}
// SAID-DAG: {{^}}2 managed allocations: moves of such memory between host and GPU aren't recorded, but are in the time of what waits for them.{{$}}
// SAID-DAG: {{^}}1 cuMemCreate call: memory from there may be missing from allocations and peaks.{{$}}
// SAID-DAG: {{^}}1 green context: blocks per SM of kernels there are of all SMs of the GPU.{{$}}
// RUN: printf '%%s\n' 'cuda cudaLaunchHostFunc 4' >%t.scenario
// RUN: %replayed %s && loopscope report %t.loopscope --format json | FileCheck %s --check-prefix=FAILED
// FAILED: "gpu_host_functions": 0,
// A program that uses none of it has none of these lines.
// RUN: %replayed %s -DNONE && loopscope report %t.loopscope | FileCheck %s --check-prefix=NONE
// NONE: {{^}}GPU collection's own cost:
// NONE-NOT: {{host function|managed|cuMemCreate|green}}
#include "gpu.h"

#ifndef NONE
static void function(void *data) { ++*(int *)data; }
#endif

int main(void) {
  PHASE(1, "work");
  launch("kernel", NULL);
#ifndef NONE
  int called = 0;
  void *managed;
  unsigned long long handle;
  for (int i = 0; i < 3; ++i)
    cudaLaunchHostFunc(NULL, function, &called);
  for (int i = 0; i < 2; ++i)
    cudaMallocManaged(&managed, 64, 1);
  cuMemCreate(&handle, 1 << 21, NULL, 0);
  cuGreenCtxCreate(&managed, NULL, 0, 0);
#endif
  cudaDeviceSynchronize();
}

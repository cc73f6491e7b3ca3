// Kernels keep their names if their module is unloaded before their
// records arrive, even if the next module's names have the same address,
// and in captured graphs. Only a kernel that was added to a graph
// manually, and whose record comes too late, has none; a message says so.
// RUN: echo 'late 500ms' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 17 records 20 ended
// CHECK: counters unnamed=4{{ *$}}
// CHECK-DAG: work main/modules kernel first device 0 count 5 no_time 0 ms
// CHECK-DAG: work main/modules kernel second device 0 count 7 no_time 0 ms
// CHECK-DAG: work main/modules kernel captured device 0 count 2 no_time 0 ms
// CHECK-DAG: work main/modules kernel runtime device 0 count 2 no_time 0 ms
// CHECK-DAG: work main/modules kernel (kernel of an unloaded module) device 0 count 4 no_time 0 ms
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}4 kernels: named "(kernel of an unloaded module)", because their records came after their module was unloaded.
// RUN: loopscope report %t.loopscope --format json | FileCheck %s --check-prefix=JSON
// JSON: "gpu_unnamed": 4,{{$}}
//
// Driver calls inside runtime calls, and
// records that arrive in time, change nothing.
// RUN: printf '%%s\n' 'late 500ms' nested >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: %replayed %s -DPATIENT && %gpu_records %t.loopscope | FileCheck %s --check-prefix=PATIENT
// PATIENT: state on {{.*}} launches 17 records 20 ended
// PATIENT: counters{{ *$}}
// PATIENT-DAG: work main/modules kernel first device 0 count 5 no_time 0 ms
// PATIENT-DAG: work main/modules kernel second device 0 count 7 no_time 0 ms
// PATIENT-DAG: work main/modules kernel by_hand device 0 count 4 no_time 0 ms
#include "gpu.h"
#include <unistd.h>

static void run(CUfunction function, int count) {
  for (int i = 0; i < count; ++i)
    cuLaunchKernel(function, 8, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL);
}

/* Lets records arrive, if the scenario delivers any. */
static void unload(CUmodule module) {
#ifdef PATIENT
  usleep(700000);
#endif
  cuModuleUnload(module);
}

int main(void) {
  CUmodule module;
  CUfunction function;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaStreamCreate(&stream);
  PHASE(1, "modules");
  launch("runtime", NULL);

  cuModuleLoadData(&module, NULL);
  cuModuleGetFunction(&function, module, "first");
  run(function, 5);
  unload(module);

  cuModuleLoadData(&module, NULL);
  cuModuleGetFunction(&function, module, "second");
  run(function, 7);
  unload(module);

  cuModuleLoadData(&module, NULL);
  cuModuleGetFunction(&function, module, "captured");
  cudaStreamBeginCapture(stream, 0);
  cuLaunchKernel(function, 8, 1, 1, 64, 1, 1, 0, stream, NULL, NULL);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&runnable, graph, 0);
  cudaGraphLaunch(runnable, NULL);
  cudaGraphLaunch(runnable, NULL);
  unload(module);

  cuModuleLoadData(&module, NULL);
  cuModuleGetFunction(&function, module, "by_hand");
  dim3 grid = {8, 1, 1}, block = {64, 1, 1};
  struct cudaKernelNodeParams node = {(void *)function, grid, block, 0, 0, 0};
  cudaGraphNode_t nodes[4];
  cudaGraphCreate(&graph, 0);
  for (int i = 0; i < 4; ++i)
    cudaGraphAddKernelNode(&nodes[i], graph, NULL, 0, &node);
  cudaGraphInstantiate(&runnable, graph, 0);
  cudaGraphLaunch(runnable, NULL);
  unload(module);
  launch("runtime", NULL);
  cudaDeviceSynchronize();
}

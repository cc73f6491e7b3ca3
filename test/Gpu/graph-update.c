// A graph's node whose kernel is changed in place has the name that its records
// have, and the phase in which the node was made.
// RUN: printf '%%s\n' 'kernel small 100us' 'kernel large 1ms' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: launches 5 records 5 ended
// CHECK-DAG: work main/replay kernel small device 0 count 2 no_time 0 ms 0.200 {{.*}} made_in main/capture
// CHECK-DAG: work main/replay kernel large device 0 count 3 no_time 0 ms 3.000 {{.*}} made_in main/capture
#include "gpu.h"

int main(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaGraphNode_t node;
  struct cudaKernelNodeParams parameters = {
      (void *)"small", {1, 1, 1}, {32, 1, 1}, 0, NULL, NULL};
  cudaStreamCreate(&stream);
  cudaGraphCreate(&graph, 0);
  {
    PHASE(1, "capture");
    cudaGraphAddKernelNode(&node, graph, NULL, 0, &parameters);
  }
  cudaGraphInstantiate(&runnable, graph, 0);
  for (int i = 0; i < 5; ++i) {
    if (i == 2) {
      parameters.func = (void *)"large";
      cudaGraphExecKernelNodeSetParams(runnable, node, &parameters);
    }
    PHASE(2, "replay");
    cudaGraphLaunch(runnable, stream);
  }
  cudaStreamSynchronize(stream);
}

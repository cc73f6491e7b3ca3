// The time that our callbacks take from the program is booked as the
// profiler's, on the phase of the call, to the tick: once for each call,
// and once for each node of a graph, here with 5 ms in CUPTI for each id.
// RUN: echo 'slow cuptiGetGraphNodeId 5ms' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: counters{{ *$}}
// CHECK-DAG: cost main/launches count 1000 ms
// CHECK-DAG: cost main/capture count 42 ms {{[1-9][0-9]{2,}\.}}
// CHECK-DAG: cost main/instantiate count 21 ms {{([2-9][0-9]{2}|[1-9][0-9]{3,})\.}}
// CHECK: cost booked all{{$}}
// The order of the two depends on how long the waits took.
// RUN: loopscope report %t.loopscope --view tree --format csv > %t.csv
// RUN: FileCheck %s --check-prefix=INSTANTIATE < %t.csv && FileCheck %s --check-prefix=CAPTURE < %t.csv
// INSTANTIATE: "instantiate",0.{{[0-9]+}},0.0{{[0-9]+}},1,
// INSTANTIATE-NEXT: "(profiler)",0.{{[2-9][0-9]+}},
// CAPTURE: "capture",0.{{[0-9]+}},0.0{{[0-9]+}},1,
// CAPTURE-NEXT: "(profiler)",0.{{[1-9][0-9]+}},
#include "gpu.h"

int main(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaStreamCreate(&stream);
  {
    PHASE(1, "launches");
    for (int i = 0; i < 1000; ++i)
      launch("tiny", stream);
  }
  {
    PHASE(2, "capture");
    cudaStreamBeginCapture(stream, 0);
    for (int i = 0; i < 20; ++i)
      launch("layer", stream);
    cudaStreamEndCapture(stream, &graph);
  }
  PHASE(3, "instantiate");
  cudaGraphInstantiate(&runnable, graph, 0);
}

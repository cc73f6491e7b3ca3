// Work of a CUDA graph belongs to the phase that launched the graph,
// not to the one that made it. Each node has its kernel's name and
// the phase in which the node was made. Capturing launches nothing.
// RUN: printf '%%s\n' 'kernel layer 1ms' 'kernel loss 500us' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: launches 5 records 15 ended
// CHECK: counters{{ *$}}
// CHECK-DAG: node main/capture launches 0 waits 0 calls
// CHECK-DAG: node main/capture/forward launches 0 waits 0 calls 2 launch_ms
// CHECK-DAG: node main/replay launches 5 waits 1 calls 0 launch_ms
// CHECK-DAG: work main/replay kernel layer device 0 count 10 no_time 0 ms 10.000 {{.*}} graph 10 shorter 0 {{.*}} made_in main/capture/forward
// CHECK-DAG: work main/replay kernel loss device 0 count 5 no_time 0 ms 2.500 {{.*}} graph 5 {{.*}} made_in main/capture
// CHECK-NOT: work main/capture
// RUN: loopscope report %t.loopscope --view kernels --by phase --format csv | FileCheck %s --check-prefix=TABLE
// TABLE: {{^}}table,name,phase,made_in,calls,
// TABLE-NEXT: "kernels","layer","replay","forward",10,
// TABLE-NEXT: "kernels","loss","replay","capture",5,
#include "gpu.h"

int main(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaStreamCreate(&stream);
  {
    PHASE(1, "capture");
    cudaStreamBeginCapture(stream, 0);
    {
      PHASE(3, "forward");
      launch("layer", stream);
      launch("layer", stream);
    }
    launch("loss", stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&runnable, graph, 0);
  }
  PHASE(2, "replay");
  for (int i = 0; i < 5; ++i)
    cudaGraphLaunch(runnable, stream);
  cudaStreamSynchronize(stream);
}

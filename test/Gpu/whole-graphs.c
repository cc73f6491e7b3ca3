// Another tool that requests whole graphs suppresses the records of
// their nodes permanently: then each launch has one record. It is device
// time of the phase that launched the graph, under a descriptive name.
// RUN: printf '%%s\n' 'kernel layer 3ms' 'latency 1us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M %replayed %s && %gpu_records %t.loopscope --events | FileCheck %s
// RUN: cp %t-scenario %t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M %replayed12 %s && %gpu_records %t.loopscope --events | FileCheck %s
// CHECK: counters{{ *$}}
// CHECK: work main/replay kernel layer device 0 count 20 no_time 0 ms 60.000 min 3.000 max 3.000 bytes 0 graph 20{{( .*)?$}}
// CHECK: work main/replay kernel (CUDA graph) device 0 count 5 no_time 0 ms 60.000 min 12.000 max 12.000 bytes 0 graph 5 {{.*}} made_in - blocks_per_sm 0.00 occupancy -1.00{{( .*)?$}}
// CHECK: device 0 {{.*}} busy 120.000 kernels 120.000 copies 0.000 filled 60.000{{( .*)?$}}
// CHECK: sums main/replay device 0 busy 120.000 kernels 120.000{{( .*)?$}}
// CHECK: event kernel main/replay (CUDA graph) {{.*}} ms 12.000 correlated yes
// RUN: loopscope report %t.loopscope --view kernels --format csv --columns name,calls | FileCheck %s --check-prefix=ROWS
// ROWS-DAG: "layer",20{{( .*)?$}}
// ROWS-DAG: "(CUDA graph)",5{{( .*)?$}}
#include "gpu.h"

enum { GraphKind = 51 };

int main(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, 0);
  for (int i = 0; i < 4; ++i)
    launch("layer", stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&runnable, graph, 0);
  for (int i = 0; i < 10; ++i) {
    PHASE(1, "replay");
    if (i == 5) {
      cudaStreamSynchronize(stream);
      cuptiActivityEnable(GraphKind);
    }
    cudaGraphLaunch(runnable, stream);
  }
  cudaStreamSynchronize(stream);
}

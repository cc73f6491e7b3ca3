// With gpu=graphs, CUPTI records each launch of a CUDA graph as a whole. Device time per phase is
// the same as node by node; what only the kernels tell isn't said: names, blocks, the phase that
// captured them. Kernels outside graphs have their own records.
// RUN: printf '%%s\n' 'kernel layer 3ms' 'kernel alone 5ms' 'latency 1us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M,warmup=0,gpu=graphs %replayed %s && %gpu_records %t.loopscope --events | FileCheck %s
// RUN: cp %t-scenario %t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M,warmup=0,gpu=graphs %replayed12 %s && %gpu_records %t.loopscope --events | FileCheck %s
// CHECK: {{^}}state on cupti{{.*$}}
// CHECK-NOT: kernel layer
// CHECK: counters{{ *$}}
// CHECK-DAG: work main/train/step/batch/replay kernel alone device 0 count 10 no_time 0 ms 50.000{{( .*)?$}}
// CHECK-DAG: work main/train/step/batch/replay kernel (CUDA graph) device 0 count 10 no_time 0 ms 120.000 min 12.000 max 12.000 bytes 0 graph 10 {{.*}} made_in - blocks_per_sm 0.00 occupancy -1.00{{( .*)?$}}
// CHECK: device 0 {{.*}} busy 170.000 kernels 170.000 copies 0.000{{( .*)?$}}
// CHECK-NOT: kernel layer
// CHECK: sums main/train/step/batch/replay device 0 busy 170.000 kernels 170.000{{( .*)?$}}
// CHECK-NOT: kernel layer
// RUN: loopscope report %t.loopscope --view kernels | FileCheck %s --check-prefix=KERNELS
// KERNELS: (CUDA graph): all kernels of a graph's launch. They were recorded as a whole, so their names, blocks and occupancy aren't known.{{$}}
// RUN: loopscope report %t.loopscope --view kernels --format csv --columns name,calls,tensor_cores | FileCheck %s --check-prefix=ROWS
// ROWS-DAG: {{^}}"kernels","alone",10,"no"{{$}}
// ROWS-DAG: {{^}}"kernels","(CUDA graph)",10,{{$}}
// RUN: loopscope report %t.loopscope --view overview --width 100000 | FileCheck %s --check-prefix=OVERVIEW
// OVERVIEW-NOT: {{efficiency|occupancy}}
// OVERVIEW: {{^}}GPU 0 Replay device: kernels {{[0-9.]+}}%. --rows N{{.*$}}
// OVERVIEW-NOT: {{efficiency|occupancy}}
// OVERVIEW-NOT: tensor cores
//
// Node by node, the same phases have the same device time.
// RUN: cp %t-scenario %t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M,warmup=0 %replayed %s && %gpu_records %t.loopscope --events | FileCheck %s --check-prefix=NODES
// NODES: work main/train/step/batch/replay kernel layer device 0 count 40 no_time 0 ms 120.000{{( .*)?$}}
// NODES: device 0 {{.*}} busy 170.000 kernels 170.000 copies 0.000{{( .*)?$}}
// NODES: sums main/train/step/batch/replay device 0 busy 170.000 kernels 170.000{{( .*)?$}}
// RUN: loopscope report %t.loopscope --view overview --width 100000 | FileCheck %s --check-prefix=ESTIMATES
// ESTIMATES: {{^}}GPU 0 Replay device: kernels {{[0-9.]+}}%, SM efficiency {{[0-9.]+}}%, occupancy {{[0-9.]+}}% (est.).{{.*$}}
#include "gpu.h"

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
  TRAIN;
  for (int i = 0; i < 10; ++i) {
    STEP;
    PHASE(3, "replay");
    cudaGraphLaunch(runnable, stream);
    launch("alone", stream);
    cudaStreamSynchronize(stream);
  }
}

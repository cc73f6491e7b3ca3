// Kernels are charged to the key of the phase that launched them, those of a CUDA graph also to the key in which they were
// captured. On the host all keys take the same; the key whose kernels take long is named by its GPU time, in text and on the page.
// RUN: printf '%%s\n' 'kernel layer 1ms' 'kernel slow_layer 4ms' 'kernel captured 100us' >%t.scenario
// RUN: %replayed %s
// RUN: loopscope report %t.loopscope --view tree --by key --format csv --columns name,calls,kernels,gpu_s | FileCheck %s
// CHECK-DAG: "block[0]",6,6,0.00{{(5999|6000)[0-9]*|6}}{{$}}
// CHECK-DAG: "block[7]",6,6,0.02{{(3999|4000)[0-9]*|4}}{{$}}
// CHECK-DAG: "block[9]",6,6,0.00{{(5999|6000)[0-9]*|6}}{{$}}
// RUN: loopscope report %t.loopscope --view kernels --by phase --format csv --columns name,phase,made_in,calls | FileCheck %s --check-prefix=PHASE
// PHASE: "layer","block",,54{{$}}
// PHASE: "captured","replay","forward",40{{$}}
// RUN: loopscope report %t.loopscope --view kernels --by key --format csv --columns name,phase,made_in,calls | FileCheck %s --check-prefix=KERNELS
// KERNELS-DAG: "slow_layer","block[7]",,6{{$}}
// KERNELS-DAG: "layer","block[9]",,6{{$}}
// KERNELS-DAG: "captured","replay","forward[5]",5{{$}}
// RUN: loopscope report %t.loopscope --view operators --by key --format csv --columns name,phase,calls | FileCheck %s --check-prefix=CALLS
// CALLS: "block[7]","(no phase)",6{{$}}
// RUN: loopscope report %t.loopscope --view simple | FileCheck %s --check-prefix=NOTE
// NOTE: {{^}}block[7] ({{.*}}keys.c:{{[0-9]+}}) takes 4.0 times the median GPU time of 10 keys (key); the excess is 22.0% of the devices' busy time.{{$}}
// RUN: loopscope report %t.loopscope --format html -o %t.html && grep -q 'block\[7\] .* takes 4.0 times the median GPU time' %t.html
#include "gpu.h"

int main(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, 0);
  for (int layer = 0; layer < 8; ++layer) {
    KEYED(1, "forward", layer);
    launch("captured", stream);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&runnable, graph, 0);
  for (int step = 0; step < 6; ++step)
    for (int layer = 0; layer < 10; ++layer) {
      KEYED(2, "block", layer);
      launch(layer == 7 ? "slow_layer" : "layer", stream);
    }
  {
    PHASE(3, "replay");
    for (int i = 0; i < 5; ++i)
      cudaGraphLaunch(runnable, stream);
  }
  cudaDeviceSynchronize();
}

// A kernel of minutes that runs from the start of the program to its end:
// all other work has its figures, and the kernel is counted, without times.
// RUN: printf '%%s\n' 'kernel forever 180s' 'kernel k 1ms' 'latency 1us' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: (cat %t-scenario && printf '%%s\n' 'one-a-buffer' 'order reverse') >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: (cat %t-scenario && printf '%%s\n' 'buffers process' 'flush-period 5ms') >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 301 records 301 ended
// CHECK: counters no_time=1{{( .*)?$}}
// CHECK: node main/step launches 300 waits 300 calls 0{{( .*)?$}}
// CHECK-DAG: work main/serve kernel forever device 0 count 1 no_time 1 ms 0.000{{( .*)?$}}
// CHECK-DAG: work main/step kernel k device 0 count 300 no_time 0 ms 300.000 min 1.000 max 1.000{{( .*)?$}}
// CHECK-DAG: sums main/step device 0 busy 300.000 kernels 300.000{{( .*)?$}}
// CHECK-DAG: wait main/step for main/step ms {{(2[89]|3[01])[0-9]\.[0-9]+}}{{$}}
#include "gpu.h"

int main(void) {
  cudaStream_t server, stream;
  cudaStreamCreate(&server);
  cudaStreamCreate(&stream);
  {
    PHASE(1, "serve");
    launch("forever", server);
  }
  for (int i = 0; i < 300; ++i) {
    PHASE(2, "step");
    launch("k", stream);
    cudaStreamSynchronize(stream);
  }
}

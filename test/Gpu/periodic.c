// With a flush period, CUPTI's own thread returns full buffers,
// and launching threads return none: the same figures, and no
// launch is lost if the program launches faster than that.
// RUN: printf '%%s\n' 'kernel k 10us' 'latency 1us' 'flush-period 30ms' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: (cat %t-scenario && printf '%%s\n' 'one-a-buffer' 'order reverse' 'hold 2') >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: printf '%%s\n' 'kernel k 10us' 'latency 1us' 'buffers process' 'flush-period 1ms' >%t.scenario
// RUN: %replayed12 %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 3500 records 3500 ended
// CHECK: counters{{ *$}}
// CHECK: work main/step kernel k device 0 count 3500 no_time 0 ms 35.000 min 0.010 max 0.010{{( .*)?$}}
// CHECK: sums main/step device 0 busy 35.000 kernels 35.000{{( .*)?$}}
#include "gpu.h"

int main(void) {
  for (int i = 0; i < 3500; ++i) {
    PHASE(1, "step");
    launch("k", NULL);
    if (i % 100 == 0)
      cudaDeviceSynchronize();
  }
  cudaDeviceSynchronize();
}

// Work is charged to the phase that launched it, also when it runs later; waits
// name both phases.
// The first kernel is so long that its successor is launched in time on a busy machine, too.
// RUN: printf '%%s\n' 'kernel forward_kernel 40ms' 'kernel backward_kernel 4ms' >%t.scenario
// RUN: %replayed %s
// RUN: %gpu_records %t.loopscope | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty --input-file=%t.err
// QUIET-NOT: loopscope
// CHECK: state on cupti 130001 launches 30 records 40 ended yes cost some
// CHECK: library {{.*}}libreplay-13.so
// CHECK: counters{{ *$}}
// CHECK-DAG: node main/draw data launches 0 waits 10 calls 0 launch_ms
// CHECK-DAG: node main/forward launches 10 waits 0 calls
// CHECK-DAG: node main/backward launches 10 waits 0 calls
// CHECK-DAG: node main/opt_step launches 10 waits 10 calls
// CHECK-DAG: work main/draw data copy HtoD device 0 count 10 no_time 0 {{.*}} bytes 10240 graph
// CHECK-DAG: work main/forward kernel forward_kernel device 0 count 10 no_time 0 ms 400.000 min 40.000 max 40.000 bytes
// CHECK-DAG: work main/backward kernel backward_kernel device 0 count 10 no_time 0 ms 40.000 min 4.000 max 4.000 bytes
// CHECK-DAG: work main/opt_step kernel update device 0 count 10 no_time 0 ms 1.000 min
// CHECK-DAG: device 0 Replay device cc 9.0 sms 100 {{.*}} kernels 441.000 copies
// CHECK-DAG: sums main/backward device 0 busy 40.000 kernels 40.000 idle 0.000{{$}}
// CHECK-DAG: wait main/opt_step for main/backward ms {{([1-9]|[1-3][0-9]|40)}}.
#include "gpu.h"
#include <stdio.h>

int main(void) {
  static char host[1024], device[1024];
  for (int step = 0; step < 10; ++step) {
    {
      PHASE(1, "draw data");
      cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    }
    {
      PHASE(2, "forward");
      launch("forward_kernel", NULL);
    }
    {
      PHASE(3, "backward");
      launch("backward_kernel", NULL);
    }
    {
      PHASE(4, "opt_step");
      launch("update", NULL);
      cudaDeviceSynchronize();
    }
  }
  puts("done");
}

// The program ends with kernels in flight: it doesn't
// wait for them, and they are counted without times.
// RUN: printf '%%s\n' 'kernel long 20s' 'kernel short 1ms' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 5 records 5 ended
// CHECK: counters no_time=3{{( |$)}}
// CHECK-DAG: work main/work kernel short device 0 count 2 no_time 0 ms 2.000 min
// CHECK-DAG: work main/work kernel long device 0 count 3 no_time 3 ms 0.000 bytes
#include "gpu.h"

int main(void) {
  PHASE(1, "work");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  launch("short", stream);
  launch("short", stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < 3; ++i)
    launch("long", stream);
}

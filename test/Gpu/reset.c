// A device reset ends its context and its memory;
// the data from before and after it is there.
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 6 records 6 ended
// CHECK: counters{{ *$}}
// CHECK-DAG: work main/before kernel first device 0 count 3 no_time 0 ms
// CHECK-DAG: held 0 now 500 peak 4000 by main/before
// CHECK-DAG: memory main/after device device 0 allocations 1 bytes 500 frees 0 freed 0 peak 500 of_gpu_peak 0{{$}}
// CHECK-DAG: work main/after kernel second device 0 count 3 no_time 0 ms
#include "gpu.h"

int main(void) {
  void *memory;
  {
    PHASE(1, "before");
    cudaMalloc(&memory, 4000);
    for (int i = 0; i < 3; ++i)
      launch("first", NULL);
    cudaDeviceReset();
  }
  {
    PHASE(2, "after");
    cudaMalloc(&memory, 500);
    for (int i = 0; i < 3; ++i)
      launch("second", NULL);
    cudaDeviceSynchronize();
  }
}

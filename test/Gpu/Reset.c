// A reset of the device ends its context; what was before and after is there.
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 6 records 6
// CHECK: counters{{ *$}}
// CHECK-DAG: work main/before kernel first device 0 count 3 no_time 0
// CHECK-DAG: work main/after kernel second device 0 count 3 no_time 0
#include "gpu.h"

int main(void) {
  {
    PHASE(1, "before");
    for (int i = 0; i < 3; ++i)
      launch("first", NULL);
    cudaDeviceReset();
  }
  {
    PHASE(2, "after");
    for (int i = 0; i < 3; ++i)
      launch("second", NULL);
    cudaDeviceSynchronize();
  }
}

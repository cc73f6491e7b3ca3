// Work launched before the program's first phase, or
// after its last, is in no phase: its launch is known.
// RUN: printf '%%s\n' 'kernel early 1ms' 'kernel late 1ms' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: launches 5 records 5 ended
// CHECK-DAG: work main kernel early device 0 count 2 no_time
// CHECK-DAG: work main/work kernel inside device 0 count 1 no_time
// CHECK-DAG: work main kernel late device 0 count 2 no_time
// CHECK-NOT: work unknown
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=TABLE
// TABLE: work
// TABLE: (unaccounted)
// TABLE-NOT: (launch unknown)
#include "gpu.h"

int main(void) {
  launch("early", NULL);
  launch("early", NULL);
  {
    PHASE(1, "work");
    launch("inside", NULL);
  }
  launch("late", NULL);
  launch("late", NULL);
  cudaDeviceSynchronize();
}

// Calls that bring no record need no place among the launches: however many
// there are while a kernel runs, its launch is remembered.
// RUN: printf 'kernel lasting 400ms\n' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: launches 2 records 2 ended
// CHECK: counters{{ *$}}
// CHECK: work main/lasting kernel lasting device 0 count 2{{( .*)?$}}
#include "gpu.h"

int main(void) {
  cudaEvent_t event, other;
  cudaEventCreate(&event);
  cudaEventCreate(&other);
  for (int i = 0; i < 2; ++i) {
    PHASE(1, "lasting");
    launch("lasting", NULL);
    cudaEventRecord(event, NULL);
    // More than the table of launches has places.
    for (int polls = 0; polls < 700000; ++polls)
      if (polls % 2 == 0)
        cudaEventRecord(other, NULL);
      else
        cudaEventQuery(event);
    cudaEventSynchronize(event);
  }
}

// Driver launches, cooperative launches, and calls of every class.
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: launches 2 records 2 ended
// CHECK-DAG: node main/launch launches 2 waits 0 calls 0 launch_ms
// CHECK-DAG: node main/wait launches 0 waits 3 calls 2 launch_ms
// CHECK-DAG: node main/memory launches 0 waits 0 calls 2 launch_ms
// CHECK-DAG: work main/launch kernel driver device 0 count 1 no_time
// CHECK-DAG: work main/launch kernel together device 0 count 1 no_time
// Querying the device is so cheap and frequent that it isn't recorded.
// CHECK-NOT: node main/ask
#include "gpu.h"

int main(void) {
  dim3 size = {1, 1, 1};
  int device;
  void *memory;
  {
    PHASE(1, "launch");
    cuLaunchKernel("driver", 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    cudaLaunchCooperativeKernel("together", size, size, NULL, 0, NULL);
  }
  {
    PHASE(2, "wait");
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, NULL);
    cudaEventSynchronize(event);
    cudaStreamSynchronize(NULL);
    cudaDeviceSynchronize();
  }
  {
    PHASE(3, "memory");
    cudaMalloc(&memory, 16);
    cudaFree(memory);
  }
  PHASE(4, "ask");
  cudaGetDevice(&device);
  cudaGetLastError();
}

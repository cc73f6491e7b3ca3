// In trace mode every call and every piece of work is in the timeline.
// RUN: env SURVIVE_OPTIONS=trace,cap=8M %replayed %s
// RUN: %gpu_records %t.loopscope --events | FileCheck %s
// CHECK: counters{{ *$}}
// CHECK: event other-call main/setup cudaStreamCreate
// CHECK-NEXT: event launch-call main/work cudaLaunchKernel  device - stream 0 ms {{.*}} correlated yes {{.*}} callback 211{{$}}
// CHECK: event kernel main/work first  device 0 stream 13 ms 0.100 correlated yes graph 0 made_in
// CHECK: event copy main/work - HtoD device 0 stream 13 ms {{.*}} correlated yes
#include "gpu.h"

int main(void) {
  static char a[1024], b[1024];
  cudaStream_t stream;
  {
    PHASE(1, "setup");
    cudaStreamCreate(&stream);
  }
  PHASE(2, "work");
  launch("first", stream);
  cudaMemcpyAsync(a, b, sizeof a, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
}

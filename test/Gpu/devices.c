// Several devices and streams: each device has its own unions; work that
// overlaps on two streams counts once. Copies have directions. Driver calls
// within runtime calls change nothing; those that copy or set name no kernel.
// RUN: printf '%%s\n' 'device 0 100 9.0 First' 'device 1 50 8.6 Second device' >%t.scenario
// RUN: printf '%%s\n' 'kernel wide 20ms' 'kernel other 30ms' >>%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: (cat %t-scenario && echo nested) >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: counters{{ *$}}
// CHECK-DAG: device 0 First cc 9.0 sms 100 {{.*}} kernels {{2[0-9]\.}}
// CHECK-DAG: device 1 Second device cc 8.6 sms 50 {{.*}} kernels 30.000 copies
// CHECK-DAG: work main/both kernel wide device 0 count 2 no_time 0 ms 40.000 min
// CHECK-DAG: sums main/both device 0 busy {{2[0-9]\.}}
// CHECK-DAG: sums main/both device 1 busy 30.0{{[0-9]+}} kernels
// CHECK-DAG: work main/copies copy HtoD device 0 count 1 {{.*}} bytes 1024 graph
// CHECK-DAG: work main/copies copy DtoH device 0 count 1 {{.*}} bytes 1024 graph
// CHECK-DAG: work main/copies copy DtoD device 0 count 1 {{.*}} bytes 1024 graph
// CHECK-DAG: work main/copies copy PtoP device 0 count 1 {{.*}} bytes 1024 graph
// CHECK-DAG: work main/copies set {{.*}}device 0 count 2 {{.*}} bytes 2048 graph
#include "gpu.h"

int main(void) {
  static char a[1024], b[1024];
  cudaStream_t one, two, three;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaSetDevice(1);
  cudaStreamCreate(&three);
  cudaSetDevice(0);
  {
    PHASE(1, "both");
    launch("wide", one);
    launch("wide", two);
    launch("other", three);
    cudaDeviceSynchronize();
  }
  PHASE(2, "copies");
  cudaMemcpy(a, b, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(a, b, sizeof a, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(a, b, sizeof a, cudaMemcpyDeviceToDevice, one);
  cudaMemcpyPeerAsync(a, 1, b, 0, sizeof a, two);
  cudaMemset(a, 0, sizeof a);
  cudaMemsetAsync(a, 0, sizeof a, one);
  cudaDeviceSynchronize();
}

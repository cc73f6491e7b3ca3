// Each GPU that a program works on is sampled, and no other; copies are charged to the phase that
// copies, kernels beside them to theirs.
// RUN: printf '%%s\n' 'device 0 100 9.0 First' 'device 1 100 9.0 Second' 'device 2 100 9.0 Third' 'kernel left 4ms sm=90 tensor=80 dram=10' 'kernel right 6ms sm=20 dram=70' 'copy 1000' 'truth %t-truth' >%t.scenario
// RUN: rm -f %t-truth && env SURVIVE_OPTIONS=warmup=0,gpu-counters=250us,devices=off %replayed %s && loopscope report --view hardware --format csv %t.loopscope >%t.csv
// RUN: %python %S/Inputs/pm_sampling.py %t.csv "on first" 90 80 10 "on second" 20 0 70 | FileCheck %s
// CHECK: on first: as it is
// CHECK: on second: as it is
// CHECK: step: all of its work
// The copy moves 10^9 bytes a second, and keeps no SM busy.
// RUN: grep -E '^"gpu_1","copy",.*,,,,(99[0-9]{7}|1000[0-9]{6})([.][0-9]+)?$' %t.csv && not grep gpu_2 %t.csv
// RUN: grep -c cuptiPmSamplingEnable %t-truth | FileCheck %s --check-prefix=TWO
// TWO: {{^}}2{{$}}
#include "gpu.h"

#ifdef PLAIN
enum { Steps = 0 }; // prints nothing
#else
enum { Steps = 120 };
#endif

int main(void) {
  static char memory[3000000];
  cudaStream_t stream;
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  TRAIN;
  for (int i = 0; i < Steps; ++i) {
    STEP;
    {
      PHASE(2, "on first");
      cudaSetDevice(0);
      launch("left", NULL);
    }
    {
      PHASE(3, "on second");
      cudaSetDevice(1);
      launch("right", NULL);
    }
    {
      PHASE(4, "copy");
      cudaMemcpyAsync(memory, memory, sizeof memory, cudaMemcpyHostToDevice, stream);
    }
    PHASE(5, "wait");
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceSynchronize();
  }
  return 0;
}

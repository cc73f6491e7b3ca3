// What the GPU's hardware does is charged to the phase whose work ran, although the host
// waits elsewhere meanwhile: in each step, two phases launch a second of work each, and the
// third waits for both. The fake NVML has the truth, and renews it every 100 ms.
// REQUIRES: long
// RUN: printf '%%s\n' 'kernel tensor_kernel 1s' 'kernel memory_kernel 1s' >%t.scenario
// RUN: %gcc -shared -fPIC %S/../Devices/Inputs/nvml.c -o %t-nvml.so
// RUN: env LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0 %replayed %s %t-nvml.so && loopscope report --view hardware --format csv %t.loopscope >%t.csv
// RUN: %python %S/Inputs/hardware.py %t.csv | FileCheck %s
// CHECK: tensor: SMs 90.0 tensor 80.0 DRAM 10.0 windows {{[1-9]}}{{[0-9]*$}}
// CHECK: memory: SMs 70.0 tensor 0.0 DRAM 85.0 windows {{[1-9]}}{{[0-9]*$}}
// CHECK: wait: no figures
// CHECK: step: SMs 80 watts 500{{$}}
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=SAY
// SAY: {{^}}In {{tensor|memory}}, {{.*}}SMs are busy for
// SAY: {{^}}The power limit held the clocks back for {{49|50|51}}% of the time
// SAY: {{^}}The GPU took {{4[89].|50.|51.}} W on average, {{9[0-9]+ J|1(\.[0-9]+)? kJ}} a step.
//
// What NVML doesn't give is missing, and why is said once.
// RUN: env LOOPSCOPE_REPLAY=%t-scenario FAKE_NVML=no-rights LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0 %replayed %s %t-nvml.so -DSHORT && loopscope report --view devices %t.loopscope | FileCheck %s --check-prefix=RIGHTS
// RIGHTS: Incomplete: no use of the hardware of GPU 0: Insufficient Permissions
// RUN: env LOOPSCOPE_REPLAY=%t-scenario FAKE_NVML=no-monitors,no-numbers LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0 %replayed %s %t-nvml.so -DSHORT && loopscope report --view hardware --format csv %t.loopscope | FileCheck %s --check-prefix=OLD
// OLD: gpu,name,kind,gpu_s,windows,measured_s,power,held.power,joules_per_call
// RUN: env LOOPSCOPE_REPLAY=%t-scenario FAKE_NVML=no-numbers LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0 %replayed %s %t-nvml.so -DSHORT && loopscope report --view hardware --format csv %t.loopscope | FileCheck %s --check-prefix=NAN
// NAN: gpu,name,kind,gpu_s,windows,measured_s,clocks.sm,power
// RUN: env LOOPSCOPE_REPLAY=%t-scenario LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=devices=off %replayed %s %t-nvml.so -DSHORT && not loopscope report --view hardware %t.loopscope 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: the device sampler was off
#include "gpu.h"

#include <time.h>

#ifdef PLAIN
enum { Steps = 0 }; // prints nothing
#else
#ifdef SHORT
enum { Steps = 2 };
#else
enum { Steps = 4 };
#endif
#endif

void fake_nvml_use(double sm, double tensor, double dram, double watts);
void fake_nvml_use_from(long long at, double sm, double tensor, double dram, double watts);

int main(void) {
  TRAIN;
  for (int i = 0; i < Steps; ++i) {
    STEP;
    {
      PHASE(2, "tensor");
      fake_nvml_use(90, 80, 10, 600);
      struct timespec start;
      clock_gettime(CLOCK_MONOTONIC, &start);
      // When the first kernel ends, whenever a busy host is back.
      fake_nvml_use_from((start.tv_sec + 1) * 1000000000ll + start.tv_nsec, 70, 0, 85, 400);
      launch("tensor_kernel", NULL);
    }
    {
      PHASE(3, "memory");
      launch("memory_kernel", NULL);
    }
    PHASE(4, "wait");
    cudaDeviceSynchronize();
  }
  return 0;
}

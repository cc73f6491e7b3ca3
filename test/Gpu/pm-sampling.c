// With LOOPSCOPE=gpu-counters, what the hardware does is sampled every 500 us, so phases of a few
// milliseconds have figures, within a point of the truth, although the host is elsewhere.
// RUN: (cat %S/Inputs/pm.scenario; echo 'truth %t-truth') >%t.scenario
// RUN: rm -f %t-truth && env SURVIVE_OPTIONS=warmup=0,gpu-counters=500us,devices=off %replayed %s && loopscope report --view hardware --format csv %t.loopscope >%t.csv
// RUN: %python %S/Inputs/pm_sampling.py %t.csv tensor 90 80 10 memory 70 0 85 two 30 5 40 short 100 50 50 host 0 0 0 batch 56.3 24.7 41.8 | FileCheck %s
// CHECK: tensor: as it is
// CHECK: memory: as it is
// CHECK: two: as it is
// CHECK: short: as it is
// CHECK: host: no figures
// CHECK: batch: as it is
// CHECK: step: all of its work
// RUN: loopscope report --view hardware %t.loopscope | FileCheck %s --check-prefix=VIEW
// VIEW: By CUPTI's PM sampling, a sample every 500 µs: means of a phase are of the time in which its work ran
// VIEW-NOT: windows
// VIEW: A sample is charged to the deepest phase that launched 95% of the GPU's work in it
// VIEW-NOT: gpu-counters
// VIEW: In two, {{(measured for .*, )?}}SMs are busy for {{29|30}}% of the time, tensor cores for 5%, memory at {{40|41}}% of its throughput:
// VIEW-NOT: sampl
// What would end the rest of CUPTI isn't called.
// RUN: not grep -e Disable -e ProfilerDeInit %t-truth
//
// Off by default, none of it is called, and the view says when it would help.
// RUN: %gcc -shared -fPIC %S/../Devices/Inputs/nvml.c -o %t-nvml.so
// RUN: rm -f %t-truth && env LOOPSCOPE_REPLAY=%t-scenario LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0 %replayed %s && not grep -e PmSampling -e Profiler %t-truth
// RUN: loopscope report --view hardware %t.loopscope | FileCheck %s --check-prefix=OFF
// OFF: LOOPSCOPE=gpu-counters=500us samples phases of milliseconds, too, if the user may profile the GPU.
//
// NVML goes on with what CUPTI doesn't sample, and shows that the clocks changed.
// RUN: env FAKE_NVML=locked LOOPSCOPE_REPLAY=%t-scenario LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0,gpu-counters=500us %replayed %s %t-nvml.so && loopscope report --view hardware --format csv %t.loopscope >%t.csv
// RUN: %python %S/Inputs/pm_sampling.py %t.csv tensor 90 80 10 short 100 50 50 | FileCheck %s --check-prefix=BESIDE
// BESIDE: tensor: as it is
// BESIDE: short: as it is
// RUN: head -n 1 %t.csv | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: sm.active,tensor.active,dram.active,clocks.sm
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=CLOCK
// CLOCK: {{^}}The SMs ran at 1980 MHz before PM sampling and at 1095 MHz during it: CUPTI may lock the clocks meanwhile, so without gpu-counters= times differ.{{$}}
// RUN: env LOOPSCOPE_REPLAY=%t-scenario LOOPSCOPE_NVML=%t-nvml.so SURVIVE_OPTIONS=warmup=0,gpu-counters=1ms %replayed %s %t-nvml.so && loopscope report %t.loopscope | FileCheck %s --check-prefix=SAME
// SAME: In two, {{(measured for .*, )?}}SMs are busy
// SAME-NOT: The SMs ran at
#include "gpu.h"

#include <time.h>

#ifdef PLAIN
enum { Steps = 0 }; // prints nothing
#elif defined(SHORT)
enum { Steps = SHORT };
#else
enum { Steps = 60 };
#endif

int main(void) {
  TRAIN;
  for (int i = 0; i < Steps; ++i) {
    STEP;
    {
      PHASE(2, "tensor");
      launch("tensor_kernel", NULL);
    }
    {
      PHASE(3, "memory");
      launch("memory_kernel", NULL);
    }
    {
      PHASE(4, "two");
      launch("first_half", NULL);
      launch("second_half", NULL);
    }
    {
      PHASE(5, "wait");
      cudaDeviceSynchronize();
    }
    {
      PHASE(6, "host");
      nanosleep(&(struct timespec){0, 3300000}, NULL);
    }
    {
      PHASE(7, "short");
      launch("short_kernel", NULL);
    }
  }
  return 0;
}

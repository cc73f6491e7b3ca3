// Processor times together with GPU data: a launching phase computes, a phase that
// waits for the GPU is off the CPU, and neither gets the other's columns.
// RUN: printf '%%s\n' 'kernel work 40ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=cpu=on %replayed %s
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/processor_time.py
// RUN: printf '%%s\n' 'kernel work 40ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cpu=on %replayed %s
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/processor_time.py
#include "gpu.h"
#include <stdio.h>

int main(void) {
  for (int step = 0; step < 5; ++step) {
    {
      PHASE(1, "launches");
      launch("work", NULL);
      spin(CLOCK_THREAD_CPUTIME_ID, 5);
    }
    {
      PHASE(2, "waits");
      cudaDeviceSynchronize();
    }
  }
  puts("done");
}

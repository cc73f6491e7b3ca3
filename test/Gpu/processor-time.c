// Processor times together with GPU data: a launching phase computes, a phase that
// waits for the GPU is off the CPU, and neither gets the other's columns.
// RUN: printf '%%s\n' 'kernel work 40ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=cpu=on %replayed %s
// RUN: loopscope report --view simple --format csv %t.loopscope | python3 %S/Inputs/processor_time.py
// RUN: printf '%%s\n' 'kernel work 40ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cpu=on %replayed %s
// RUN: loopscope report --view simple --format csv %t.loopscope | python3 %S/Inputs/processor_time.py
#include "gpu.h"
#include <stdio.h>
#include <time.h>

static void spin(double ms) {
  struct timespec now;
  double end = 0;
  for (;;) {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double at = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    end = end == 0 ? at + ms : end;
    if (at >= end)
      return;
  }
}

int main(void) {
  for (int step = 0; step < 5; ++step) {
    {
      PHASE(1, "launches");
      launch("work", NULL);
      spin(5);
    }
    {
      PHASE(2, "waits");
      cudaDeviceSynchronize();
    }
  }
  puts("done");
}

// Parts of a run (loopscope_reset) divide device work: launches, kernels, copies, allocations, waits and busy times of the
// parts add up to the whole run's, and each part has the program's own counts, because the program waits until the records
// have arrived. Whatever happens to be in flight at a call is in one part or the other.
// RUN: printf '%%s\n' 'kernel forward_kernel 2ms' 'kernel backward_kernel 3ms' 'kernel update 1ms' >%t.scenario
// RUN: %replayed %s && mkdir %t.d
// RUN: cp %t.loopscope %t.part*.loopscope %t.d && mkdir %t.d/whole && cp %t.loopscope %t.d/whole
// RUN: %python %S/Inputs/check_parts.py %t.d quiet
// RUN: printf '%%s\n' 'kernel forward_kernel 2ms' 'kernel backward_kernel 3ms' 'kernel update 1ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=64M %replayed %s -DBUSY && mkdir %t.e
// RUN: cp %t.loopscope %t.part*.loopscope %t.e && mkdir %t.e/whole && cp %t.loopscope %t.e/whole
// RUN: %python %S/Inputs/check_parts.py %t.e busy
#include "gpu.h"

#include <unistd.h>

#ifdef PLAIN
#define RESET
#else
#include <loopscope/loopscope.h>
#define RESET loopscope_reset()
#endif

static char host[4096], device[4096];
static void *held[3];

// A part of the run: STEPS steps.
static void run(int steps) {
  for (int step = 0; step < steps; ++step) {
    {
      PHASE(1, "load");
      cudaMemcpyAsync(device, host, 1024, cudaMemcpyHostToDevice, NULL);
    }
    {
      PHASE(2, "forward");
      launch("forward_kernel", NULL);
      PHASE(3, "inner");
      launch("forward_kernel", NULL);
    }
    {
      PHASE(4, "backward");
      launch("backward_kernel", NULL);
    }
    PHASE(5, "opt_step");
    launch("update", NULL);
    if (step % 4 == 3)
      cudaDeviceSynchronize();
  }
}

int main(void) {
  const int steps[] = {8, 20, 12};
  for (int part = 0; part < 3; ++part) {
    {
      PHASE(6, "allocate");
      cudaMalloc(&held[part], 1000 * (part + 1));
    }
    run(steps[part]);
    if (part == 2)
      break;
#ifdef BUSY
    usleep(part * 800000);
#else
    cudaDeviceSynchronize();
    usleep(1500000); // records arrive within a second
#endif
    RESET;
  }
  cudaDeviceSynchronize();
}

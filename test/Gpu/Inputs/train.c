/* A loop of ten steps that prints CUDA's results. */
#include "gpu.h"
#include <stdio.h>

int main(void) {
  int failed = 0;
  for (int step = 0; step < 10; ++step) {
    {
      PHASE(1, "forward");
      failed += launch("forward_kernel", NULL) != cudaSuccess;
    }
    {
      PHASE(2, "backward");
      failed += launch("backward_kernel", NULL) != cudaSuccess;
      failed += cudaDeviceSynchronize() != cudaSuccess;
    }
  }
  printf("%d calls failed\n", failed);
  return failed != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends by exit() while kernels run.

#include "question.h"

__global__ void done() { compute(1000); }
__global__ void running() { compute(100000000); }

int main() {
  LOOPSCOPE_PHASE("done")
  for (int i = 0; i < 1000; ++i)
    done<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel done 1000\n");
  LOOPSCOPE_PHASE("running")
  for (int i = 0; i < 20; ++i)
    running<<<1, 32>>>();
  std::exit(0);
}

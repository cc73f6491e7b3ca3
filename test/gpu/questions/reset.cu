// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device that is reset in the middle of the run.

#include "question.h"

__global__ void early() { compute(1000); }
__global__ void late() { compute(1000); }

int main() {
  void *memory;
  CHECK(cudaMalloc(&memory, size_t(100) << 20));
  LOOPSCOPE_PHASE("early")
  for (int i = 0; i < 50; ++i)
    early<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceReset());
  CHECK(cudaMalloc(&memory, size_t(60) << 20));
  LOOPSCOPE_PHASE("late")
  for (int i = 0; i < 50; ++i)
    late<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel early 50\nkernel late 50\npeak %zu\n", size_t(100) << 20);
}

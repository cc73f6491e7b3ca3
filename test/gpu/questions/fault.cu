// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that writes to no memory, after others that worked.

#include "question.h"

__global__ void good() { compute(1000); }
__global__ void faulty(int *nowhere) { *nowhere = 1; }

int main() {
  LOOPSCOPE_PHASE("good")
  for (int i = 0; i < 100; ++i)
    good<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  LOOPSCOPE_PHASE("faulty")
  faulty<<<1, 1>>>(reinterpret_cast<int *>(16));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  good<<<1, 32>>>();
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("kernel good 100\n");
  return 0;
}

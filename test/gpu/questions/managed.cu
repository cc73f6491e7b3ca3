// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory that the device and the host touch in turn.

#include "question.h"

__global__ void add(int *values, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += 1024)
    ++values[i];
}

int main() {
  constexpr int Count = 4 << 20;
  int *values;
  CHECK(cudaMallocManaged(&values, Count * sizeof(int)));
  long long sum = 0;
  for (int step = 0; step < 5; ++step) {
    LOOPSCOPE_PHASE("host")
    for (int i = 0; i < Count; ++i)
      sum += values[i]++;
    LOOPSCOPE_PHASE("device") add<<<1, 1024>>>(values, Count);
    CHECK(cudaDeviceSynchronize());
  }
  std::printf("sum %lld\nkernel add 5\n", sum);
}

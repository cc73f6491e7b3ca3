// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that launch kernels and end without waiting for them.

#include "question.h"

#include <thread>
#include <vector>

__global__ void ofThread() { compute(1000); }

static void launch() {
  LOOPSCOPE_PHASE("launch")
  for (int i = 0; i < 500; ++i)
    ofThread<<<1, 32, 0, cudaStreamPerThread>>>();
}

int main() {
  CHECK(cudaFree(nullptr));
  for (int round = 0; round < 4; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back(launch);
    for (std::thread &each : threads)
      each.join();
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel ofThread 32000\n");
}

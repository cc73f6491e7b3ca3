// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch-bound loop: many tiny kernels, in a few rounds. Prints the seconds
// of the fastest round, from the first launch to the last kernel's end.
//
//   launches [LAUNCHES [ROUNDS [memory]]]   memory: with an allocation each

#include <loopscope/annotate.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void tiny() {}

static bool allocates = false;

static void launch() {
  void *memory = nullptr;
  if (allocates)
    cudaMallocAsync(&memory, 4096, nullptr);
  tiny<<<1, 32>>>();
  if (allocates)
    cudaFreeAsync(memory, nullptr);
}

static double round(int launches) {
  const auto start = std::chrono::steady_clock::now();
  LOOPSCOPE_PHASE("launches")
  for (int i = 0; i < launches; ++i)
    launch();
  LOOPSCOPE_PHASE("wait") cudaDeviceSynchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

int main(int count, char **arguments) {
  const int launches = count > 1 ? std::atoi(arguments[1]) : 100000;
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 7;
  allocates = count > 3;
  round(launches / 10 + 1);
  double best = round(launches);
  for (int i = 1; i < rounds; ++i) {
    const double seconds = round(launches);
    best = seconds < best ? seconds : best;
  }
  std::printf("seconds %.6f\n", best);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that ask without end whether the device is ready while kernels run.

#include "question.h"

#include <atomic>
#include <thread>
#include <vector>

__global__ void lasting() { compute(150000000); }

static std::atomic<bool> Over{false};
static std::atomic<long long> Polls{0};

static void poll(cudaEvent_t event) {
  long long asked = 0;
  for (; !Over; ++asked)
    (void)cudaEventQuery(event);
  Polls += asked;
}

int main() {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(poll, event);
  LOOPSCOPE_PHASE("lasting")
  for (int i = 0; i < 30; ++i)
    lasting<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  Over = true;
  for (std::thread &each : threads)
    each.join();
  std::fprintf(stderr, "polls %lld\n", Polls.load());
  std::printf("kernel lasting 30\n");
}

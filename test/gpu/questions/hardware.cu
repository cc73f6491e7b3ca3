// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases that use the hardware in known ways, long ones and short ones: what is
// said of each must be what it did. `use` lines: see question.h.

#include "loads.h"

#include <chrono>
#include <thread>

namespace {
int Sms = 0;
float4 *To, *From;
constexpr size_t Bytes = size_t(1) << 30;

void tensor() {
  multiply<<<Sms * 2, 256>>>(20000, reinterpret_cast<float *>(To));
}
void dram() { stream<<<Sms * 8, 512>>>(To, From, Bytes / 16); }
void quarter() { spin<<<Sms / 4, 64>>>(4000000); }

// Runs LOAD for about SECONDS, never with an idle device.
template <typename Load> void last(double seconds, Load load) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  cudaEvent_t before[2];
  for (cudaEvent_t &each : before)
    CHECK(cudaEventCreateWithFlags(&each, cudaEventBlockingSync));
  for (int i = 0; std::chrono::duration<double>(Clock::now() - start).count() <
                  seconds;
       ++i) {
    load();
    CHECK(cudaEventRecord(before[i % 2]));
    if (i > 0)
      CHECK(cudaEventSynchronize(before[(i + 1) % 2]));
  }
  CHECK(cudaDeviceSynchronize());
  for (cudaEvent_t each : before)
    CHECK(cudaEventDestroy(each));
}

void steps(int count, double seconds) {
  LOOPSCOPE_TRAIN_LOOP for (int step = 0; step < count; ++step) {
    LOOPSCOPE_PHASE("tensor") { last(seconds, tensor); }
    LOOPSCOPE_PHASE("dram") { last(seconds, dram); }
    LOOPSCOPE_PHASE("quarter") { last(seconds, quarter); }
    LOOPSCOPE_PHASE("pause") {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    }
  }
}
} // namespace

int main() {
  cudaDeviceProp facts;
  CHECK(cudaGetDeviceProperties(&facts, 0));
  Sms = facts.multiProcessorCount;
  CHECK(cudaMalloc(&To, Bytes));
  CHECK(cudaMalloc(&From, Bytes));
  steps(5, 0.8);
  LOOPSCOPE_VALIDATE { steps(60, 0.02); }
  // Each uses one part only; all SMs have warps in the first two.
  std::printf("use tensor sm.active 97 100\n");
  std::printf("use tensor tensor.active 85 100\n");
  std::printf("use tensor dram.active 0 3\n");
  std::printf("use dram tensor.active 0 2\n");
  std::printf("use dram dram.active 75 95\n");
  std::printf("use quarter sm.active 24 27\n");
  std::printf("use quarter dram.active 0 3\n");
  return 0;
}

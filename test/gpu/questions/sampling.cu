// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phases of milliseconds that use the hardware in known ways, for
// gpu-counters=500us: CUPTI's PM sampling must tell them apart. Needs only calls
// that the replay library has. `use` lines: see question.h.

#include "loads.h"

#include <chrono>
#include <thread>

namespace {
constexpr size_t Bytes = size_t(512) << 20;

// Runs LOAD for about MS milliseconds, never with an idle device.
template <typename Load> void last(double ms, Load load) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  cudaEvent_t before[2];
  for (cudaEvent_t &each : before)
    CHECK(cudaEventCreate(&each));
  for (int i = 0;
       std::chrono::duration<double>(Clock::now() - start).count() * 1e3 < ms;
       ++i) {
    load();
    CHECK(cudaEventRecord(before[i % 2], nullptr));
    if (i > 0)
      CHECK(cudaEventSynchronize(before[(i + 1) % 2]));
  }
  for (cudaEvent_t each : before)
    CHECK(cudaEventDestroy(each));
}
} // namespace

int main() {
  void *to = nullptr, *from = nullptr;
  CHECK(cudaMalloc(&to, Bytes));
  CHECK(cudaMalloc(&from, Bytes));
  LOOPSCOPE_TRAIN_LOOP for (int step = 0; step < 200; ++step) {
    LOOPSCOPE_PHASE("tensor") {
      last(5, [&] {
        multiply<<<1024, 256>>>(1000, static_cast<float *>(to));
      });
    }
    LOOPSCOPE_PHASE("dram") {
      last(5, [&] {
        stream<<<4096, 512>>>(static_cast<float4 *>(to),
                              static_cast<const float4 *>(from), Bytes / 16);
      });
    }
    LOOPSCOPE_PHASE("wait") { CHECK(cudaDeviceSynchronize()); }
    LOOPSCOPE_PHASE("pause") {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  }
  std::printf("use tensor sm.active 90 100\n");
  std::printf("use tensor tensor.active 75 100\n");
  std::printf("use tensor dram.active 0 6\n");
  std::printf("use dram tensor.active 0 5\n");
  std::printf("use dram dram.active 70 95\n");
  return 0;
}

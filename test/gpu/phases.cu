// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three phases of kernels that keep a device busy, measured with CUDA events
// around the same launches. Prints "phase NAME MS" for each. Kernels before them
// keep the device busy meanwhile, so that the events span no launch.

#include <loopscope/annotate.h>

#include <cstdio>

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

namespace {
constexpr int Steps = 20, Kernels = 5;

struct Span {
  cudaEvent_t from, to;
  float total = 0;
  Span() {
    cudaEventCreate(&from);
    cudaEventCreate(&to);
  }
  void add() {
    float ms = 0;
    cudaEventElapsedTime(&ms, from, to);
    total += ms;
  }
};

void launch(Span &span, long long cycles) {
  cudaEventRecord(span.from);
  for (int i = 0; i < Kernels; ++i)
    spin<<<1, 1>>>(cycles);
  cudaEventRecord(span.to);
}
} // namespace

int main() {
  Span forward, backward, step;
  spin<<<1, 1>>>(1);
  cudaDeviceSynchronize();
  for (int i = 0; i < Steps; ++i) {
    LOOPSCOPE_PHASE("lead") spin<<<1, 1>>>(500000);
    LOOPSCOPE_PHASE("forward") launch(forward, 2000000);
    LOOPSCOPE_PHASE("backward") launch(backward, 4000000);
    LOOPSCOPE_PHASE("opt_step") launch(step, 1000000);
    LOOPSCOPE_PHASE("wait") cudaDeviceSynchronize();
    forward.add();
    backward.add();
    step.add();
  }
  std::printf("phase forward %.4f\nphase backward %.4f\nphase opt_step %.4f\n",
              static_cast<double>(forward.total),
              static_cast<double>(backward.total),
              static_cast<double>(step.total));
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

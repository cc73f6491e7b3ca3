// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two contexts of the driver on one device, and a green one.

#include "question.h"

#include <cuda.h>

__global__ void ofContext() { compute(1000); }

template <typename Function> static Function driver(const char *name) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion(name, &function, CUDART_VERSION,
                                         cudaEnableDefault, &found));
  return reinterpret_cast<Function>(function);
}

static void launch() {
  LOOPSCOPE_PHASE("launch")
  for (int i = 0; i < 30; ++i)
    ofContext<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
}

int main() {
  CHECK(cudaFree(nullptr));
  launch();
  auto create = driver<CUresult (*)(CUcontext *, CUctxCreateParams *, unsigned,
                                    CUdevice)>("cuCtxCreate");
  auto destroy = driver<CUresult (*)(CUcontext)>("cuCtxDestroy");
  CUcontext second = nullptr;
  if (create(&second, nullptr, 0, 0) != CUDA_SUCCESS)
    return 1;
  launch();
  if (destroy(second) != CUDA_SUCCESS)
    return 1;
  launch();
  std::printf("kernel ofContext 90\n");
}

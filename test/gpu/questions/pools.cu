// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from a pool, and pinned and managed memory beside it.

#include "question.h"

__global__ void touch(char *memory) { memory[threadIdx.x] = 1; }

int main() {
  constexpr size_t Each = size_t(1) << 20;
  void *held[100], *pinned, *managed;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&pinned, 3 * Each));
  CHECK(cudaMallocManaged(&managed, 5 * Each));
  for (int round = 0; round < 3; ++round) {
    LOOPSCOPE_PHASE("allocate")
    for (void *&each : held)
      CHECK(cudaMallocAsync(&each, Each, stream));
    touch<<<1, 32, 0, stream>>>(static_cast<char *>(managed));
    LOOPSCOPE_PHASE("free")
    for (void *each : held)
      CHECK(cudaFreeAsync(each, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  std::printf("kernel touch 3\npeak %zu\n", 100 * Each);
}

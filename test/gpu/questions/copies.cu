// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies in every form: one by one, in batches, two-dimensional, between peers,
// and sets. A batch is one record.

#include "question.h"

#include <vector>

namespace {
constexpr size_t Bytes = size_t(1) << 20, Batch = 16;
}

int main() {
  char *device, *host;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&device, 2 * Batch * Bytes));
  CHECK(cudaMallocHost(&host, Batch * Bytes));
  std::vector<void *> to;
  std::vector<const void *> from;
  std::vector<size_t> sizes;
  for (size_t i = 0; i < Batch; ++i) {
    to.push_back(device + i * Bytes);
    from.push_back(host + i * Bytes);
    sizes.push_back(Bytes);
  }
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  LOOPSCOPE_PHASE("batch")
  for (int i = 0; i < 10; ++i)
    CHECK(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), Batch,
                               &attributes, &first, 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  LOOPSCOPE_PHASE("one") {
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(host, device, Bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(device + Batch * Bytes, device, Bytes,
                          cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaMemcpyPeerAsync(device + Batch * Bytes, 0, device, 0, Bytes,
                              stream));
    CHECK(cudaMemcpy2DAsync(device, 4096, host, 2048, 1024, 1024,
                            cudaMemcpyHostToDevice, stream));
  }
  LOOPSCOPE_PHASE("sets") {
    CHECK(cudaMemsetAsync(device, 0, Bytes, stream));
    CHECK(cudaMemset2DAsync(device, 4096, 0, 1024, 1024, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  std::printf("copies 15 %zu\nsets 2\n", (10 * Batch + 5) * Bytes);
}

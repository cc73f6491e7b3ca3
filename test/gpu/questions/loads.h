// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that use one part of the hardware each, as much as they can.
#ifndef LOOPSCOPE_TEST_GPU_LOADS_H
#define LOOPSCOPE_TEST_GPU_LOADS_H

#include "question.h"

#include <mma.h>

__global__ void spin(long long cycles) { compute(cycles); }

__global__ void multiply(int rounds, float *out) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> a;
  fragment<matrix_b, 16, 16, 16, __half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> sums[4];
  fill_fragment(a, 1);
  fill_fragment(b, 1);
  for (auto &each : sums)
    fill_fragment(each, static_cast<float>(&each - sums));
  for (int i = 0; i < rounds; ++i)
    for (auto &each : sums)
      mma_sync(each, a, b, each);
  for (auto &each : sums)
    if (each.x[0] < 0)
      out[threadIdx.x] = each.x[0];
}

__global__ void stream(float4 *to, const float4 *from, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    to[i] = from[i];
}

#endif // LOOPSCOPE_TEST_GPU_LOADS_H

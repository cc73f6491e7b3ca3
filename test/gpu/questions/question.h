// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of questions only a GPU can answer have in common. Each
// does work of known amount and prints the truth on stdout, without times:
//
//   kernel NAME COUNT    launches of the kernel whose name contains NAME
//   copies COUNT BYTES   copies, all directions
//   sets COUNT           cudaMemset and its kin
//   peak BYTES           the most device memory that it held
//   use PHASE METRIC LOW HIGH  a mean by the hardware's monitors, in percent,
//                        from Hopper on
//   unrecorded NAME COUNT  the same of kernels that CUPTI may not record
//
// It exits with 0 if CUDA did what was asked.
#ifndef LOOPSCOPE_TEST_GPU_QUESTION_H
#define LOOPSCOPE_TEST_GPU_QUESTION_H

#include <loopscope/annotate.h>

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(CALL) check((CALL), #CALL)

inline void check(cudaError_t code, const char *call) {
  if (code == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(code));
  std::exit(1);
}

// Computes for CYCLES of the device's clock.
__device__ inline void compute(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

#endif // LOOPSCOPE_TEST_GPU_QUESTION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of programs that nvcc has compiled.

#ifndef LOOPSCOPE_TEST_REPLAY_NVCC_H
#define LOOPSCOPE_TEST_REPLAY_NVCC_H

namespace replay {

/// The name of the kernel with this host function; what isn't registered is a
/// name itself.
const char *kernelName(const void *Function);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_NVCC_H

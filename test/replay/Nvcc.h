// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of programs compiled by nvcc.

#ifndef LOOPSCOPE_TEST_REPLAY_NVCC_H
#define LOOPSCOPE_TEST_REPLAY_NVCC_H

namespace replay {

/// The name of the kernel with this host function; an unregistered address is
/// itself the name.
const char *kernelName(const void *Function);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_NVCC_H

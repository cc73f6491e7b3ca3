// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the CUDA runtime share.

#ifndef LOOPSCOPE_TEST_REPLAY_CUDA_H
#define LOOPSCOPE_TEST_REPLAY_CUDA_H

#include <cstdint>
#include <optional>

namespace replay {

/// The device that this thread has chosen.
extern thread_local uint32_t CurrentDevice;

/// If the scenario makes FUNCTION fail, its code.
std::optional<int> failure(const char *Function);

/// A reset of DEVICE frees its memory without a record.
void forgetMemory(uint32_t Device);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_CUDA_H

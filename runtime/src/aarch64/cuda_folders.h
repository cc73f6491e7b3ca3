// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where CUDA's toolkit keeps its libraries for this processor. One of several
// files of this name; the build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_CUDA_FOLDERS_H
#define LOOPSCOPE_AARCH64_CUDA_FOLDERS_H

namespace loopscope::runtime {

/// Below the toolkit's root. Servers and Grace have the first, Jetson the
/// second.
constexpr const char *CudaFolders[] = {"/targets/sbsa-linux/lib/",
                                       "/targets/aarch64-linux/lib/"};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_CUDA_FOLDERS_H

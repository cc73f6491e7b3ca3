// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where CUDA's toolkit keeps its libraries for this processor. One of several
// files of this name; the build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_CUDA_FOLDERS_H
#define LOOPSCOPE_X86_64_CUDA_FOLDERS_H

namespace loopscope::runtime {

/// Below the toolkit's root.
constexpr const char *CudaFolders[] = {"/targets/x86_64-linux/lib/"};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_CUDA_FOLDERS_H

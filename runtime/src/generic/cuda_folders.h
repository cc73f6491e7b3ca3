// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where CUDA's toolkit keeps its libraries for this processor. One of several
// files of this name; the build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_CUDA_FOLDERS_H
#define LOOPSCOPE_GENERIC_CUDA_FOLDERS_H

namespace loopscope::runtime {

/// Below the toolkit's root.
constexpr const char *CudaFolders[] = {"/lib/"}; // none is known

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_CUDA_FOLDERS_H

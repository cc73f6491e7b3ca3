// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX ranges, emitted and received.

#ifndef LOOPSCOPE_NVTX_EXTENSION_H
#define LOOPSCOPE_NVTX_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension NvtxExtension;

/// How NVTX is used.
enum class NvtxUse { Nothing, Emit, Read };

/// Settings from LOOPSCOPE=.
struct NvtxOptions {
  NvtxUse Use = NvtxUse::Nothing;
};
/// Constant after start-up.
extern NvtxOptions NvtxSettings;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_EXTENSION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX ranges, in and out.

#ifndef LOOPSCOPE_NVTX_EXTENSION_H
#define LOOPSCOPE_NVTX_EXTENSION_H

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension NvtxExtension;

/// What is done with NVTX.
enum class NvtxUse { Nothing, Emit, Read };

/// What LOOPSCOPE= asks of the room.
struct NvtxOptions {
  NvtxUse Use = NvtxUse::Nothing;
};
/// Constant after start-up.
extern NvtxOptions NvtxSettings;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_EXTENSION_H

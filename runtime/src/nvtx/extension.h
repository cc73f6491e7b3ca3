// NVTX ranges, in and out.
#pragma once

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

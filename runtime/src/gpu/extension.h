// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU work, by CUPTI.

#ifndef LOOPSCOPE_GPU_EXTENSION_H
#define LOOPSCOPE_GPU_EXTENSION_H

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension GpuExtension;

/// Whether GPU data is collected: where the program uses CUDA, where it is
/// wanted (and missed aloud), not, or where no other tool of CUPTI wants it.
enum class GpuChoice { Auto, On, Off, Yield };

/// What LOOPSCOPE= asks of the room.
struct GpuOptions {
  GpuChoice Collect = GpuChoice::Auto;
};
/// Constant after start-up.
extern GpuOptions GpuSettings;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_EXTENSION_H

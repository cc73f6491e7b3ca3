// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages about missing GPU data.

#ifndef LOOPSCOPE_GPU_REASON_H
#define LOOPSCOPE_GPU_REASON_H

#include "cupti.h"

#include "base/system.h"

namespace loopscope::runtime {

/// Why collection can't begin.
struct Reason : TextBuffer<400> {
  /// The machine has no GPU; nothing is wrong.
  bool NoDriver = false;

  void setNoDriver() {
    NoDriver = true;
    *this << "there is no NVIDIA driver (libcuda.so.1); on a machine without a "
             "GPU that is fine, otherwise install the driver or start the "
             "container with --gpus all";
  }
};

/// Explains in WHY that FUNCTION returned CODE, which isn't success. HOLDER:
/// the tool that holds CUPTI, "" if unknown.
/// HOLDER: the tool that has CUPTI, "" where it isn't known.
void explain(const Cupti &Api, const char *Function, cupti::Result Code,
             const char *Holder, Reason &Why);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_REASON_H

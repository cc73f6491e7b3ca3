// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations as reported by the program (flops). Plain values,
// checked. Part of the model (Run.h), filled by readWork.

#ifndef LOOPSCOPE_RUN_MODEL_WORK_H
#define LOOPSCOPE_RUN_MODEL_WORK_H

#include <cstdint>

namespace loopscope {

/// What the finished spans of a node reported.
struct SaidWork {
  double Flops = 0;
  uint64_t Spans = 0; ///< that said a number
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_WORK_H

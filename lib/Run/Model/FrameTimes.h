// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long operators and annotations of a trace ran Python functions: a
// torch.autograd.Function written in Python, hooks, the body of a `with
// record_function`. PyTorch's tables have no row for such functions, and their
// time is in nobody's self time.

#ifndef LOOPSCOPE_RUN_MODEL_FRAMETIMES_H
#define LOOPSCOPE_RUN_MODEL_FRAMETIMES_H

#include "Run/Model/Events.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// What an event spent in the Python functions that it called itself.
struct FrameTime {
  uint32_t Event = 0; ///< in EventStream::Events, no function itself
  int64_t Ns = 0; ///< less the operators, annotations and CUDA calls in them
};

/// The events of \p Trace that called Python functions; empty unless it was
/// recorded with_stack. Functions that overlap an event's border, as
/// record_function's own do, are no part of it, nor is what they contain.
std::vector<FrameTime> frameTimes(const EventStream &Trace);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_FRAMETIMES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling thread's mask of signals, for as long as nothing may interrupt it
// (deferral.h).

#ifndef LOOPSCOPE_BASE_SIGNAL_MASK_H
#define LOOPSCOPE_BASE_SIGNAL_MASK_H

#include <stdint.h>

namespace loopscope::runtime {

/// Blocks the signals that a Deferral defers, without counting, and returns
/// the mask before. One system call.
uint64_t blockSignals();
/// Sets the mask that blockSignals() returned.
void restoreSignals(uint64_t Before);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_SIGNAL_MASK_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that perf events copy with a sample. One of several files of
// this name; the build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_PERF_REGISTERS_H
#define LOOPSCOPE_AARCH64_PERF_REGISTERS_H

#include "interrupted.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Which registers are wanted, as perf_event_attr::sample_regs_user; 0: this
/// processor's samples can't be walked.
constexpr uint64_t PerfRegisters = 0;
constexpr unsigned PerfRegisterCount = 0;

/// See the other files of this name.
inline Interrupted interruptedBy(const uint64_t * /*Values*/) { return {}; }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_PERF_REGISTERS_H

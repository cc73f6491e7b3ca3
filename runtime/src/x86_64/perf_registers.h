// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that perf events copy with a sample. One of several files of
// this name; the build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_PERF_REGISTERS_H
#define LOOPSCOPE_X86_64_PERF_REGISTERS_H

#include "interrupted.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Which registers are wanted, as perf_event_attr::sample_regs_user; 0: this
/// processor's samples can't be walked.
constexpr uint64_t PerfRegisters = 1U << 6 | 1U << 7 | 1U << 8;
constexpr unsigned PerfRegisterCount = 3;

/// VALUES are in the order of their numbers in the kernel's asm/perf_regs.h.
inline Interrupted interruptedBy(const uint64_t *Values) {
  return {Values[2], Values[1], Values[0]}; // ip, sp, bp
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_PERF_REGISTERS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions in tables of frames (DWARF 5, section 6.4.2), as far as a
// FrameRule can say what they describe.

#ifndef LOOPSCOPE_STACKS_FRAME_PROGRAM_H
#define LOOPSCOPE_STACKS_FRAME_PROGRAM_H

#include "frame_common.h"
#include "frame_rules.h"
#include "readable.h"

#include <stdint.h>

namespace loopscope::runtime {

/// The rule for code at DISTANCE bytes from its function's start, by the
/// instructions of the common entry and those from FIRST to END of the
/// function's own. Unknown if they are damaged, or say something else. Callable
/// in a signal handler.
FrameRule runFrameProgram(const FrameCommon &Common, uintptr_t First,
                          uintptr_t End, uint64_t Distance, Readable &Tables);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_FRAME_PROGRAM_H

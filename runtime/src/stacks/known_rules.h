// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of frames of this process's loaded objects (code.h), remembered by
// address.

#ifndef LOOPSCOPE_STACKS_KNOWN_RULES_H
#define LOOPSCOPE_STACKS_KNOWN_RULES_H

#include "frame_rules.h"
#include "readable.h"

#include <stdint.h>

namespace loopscope::runtime {

/// The rule for code at ADDRESS; unknown if there is none. Callable in a signal
/// handler.
FrameRule knownRule(uintptr_t Address, Readable &Tables);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_KNOWN_RULES_H

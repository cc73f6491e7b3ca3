// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that led to a sampled moment, from a copy of the thread's stack, by
// the unwinder of the runtime.

#ifndef LOOPSCOPE_SAMPLE_COPIEDSTACK_H
#define LOOPSCOPE_SAMPLE_COPIEDSTACK_H

#include "Sample/LoadedCode.h"
#include "Sample/PerfRecords.h"

#include "stacks/walk.h"

namespace loopscope {

/// Walks the stack of \p Of through the code \p In.
runtime::WalkedStack walkCopy(const PerfSample &Of, LoadedCode &In);

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_COPIEDSTACK_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code lies at which addresses: the executable segments of loaded
// objects, with data to find their files later.

#ifndef LOOPSCOPE_STACKS_CODE_H
#define LOOPSCOPE_STACKS_CODE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Adds segments of objects loaded since the last call to the profile, and
/// marks those that are gone. Fast if nothing has changed; returns at once if
/// another thread is doing it. Takes the slow lock.
void updateCode();

/// Whether the addresses FIRST to LAST lie in a segment that updateCode() has
/// seen and that hasn't been unloaded since. Callable in a signal handler.
bool isCode(uintptr_t First, uintptr_t Last);

/// The frame table (.eh_frame_hdr) of the object whose code is at ADDRESS; 0 if
/// there is none. It may be unmapped at any time. Callable in a signal handler.
uintptr_t frameTable(uintptr_t Address);

/// How often objects were unloaded so far: loopscope_stack::loading. Callable
/// in a signal handler.
uint32_t codeLoading();

/// For a forked child, whose profile has none.
void resetCode();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_CODE_H

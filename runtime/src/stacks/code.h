// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code lies at which addresses: the executable segments of loaded
// objects, with what finds their files again.

#ifndef LOOPSCOPE_STACKS_CODE_H
#define LOOPSCOPE_STACKS_CODE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Puts segments of objects that were loaded since the last call into the
/// profile, and marks those that have gone. Quick where nothing has changed;
/// nothing while another thread is at it. Takes the slow lock.
void updateCode();

/// Whether an address lies in a segment that updateCode() saw and that hasn't
/// gone since. In a signal handler.
bool isCode(uintptr_t Address);

/// How many times objects had gone: loopscope_stack::loading. In a signal
/// handler.
uint32_t codeLoading();

/// For a forked child: the profile has none.
void resetCode();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_CODE_H

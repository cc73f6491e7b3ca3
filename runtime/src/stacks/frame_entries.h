// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of .eh_frame one after another, for objects whose linker wrote no
// sorted table of them.

#ifndef LOOPSCOPE_STACKS_FRAME_ENTRIES_H
#define LOOPSCOPE_STACKS_FRAME_ENTRIES_H

#include "readable.h"

#include <stdint.h>

namespace loopscope::runtime {

/// A function's entry.
struct FrameEntry {
  uintptr_t At = 0;
  uintptr_t Function = 0; ///< where its code starts; 0: this isn't known, or
                          ///< the entry is a common one
};

/// Reads the entry at AT of the table that ends at END, and moves AT behind it.
/// False: the table ends there, or is damaged.
bool nextFrameEntry(uintptr_t &At, uintptr_t End, FrameEntry &Into,
                    Readable &Tables);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_FRAME_ENTRIES_H

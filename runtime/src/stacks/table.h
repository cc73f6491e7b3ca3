// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of samples in the profile: a tree of calls, which stacks share from
// their outermost frame on. It has a fixed size; threads add to it without a
// lock.

#ifndef LOOPSCOPE_STACKS_TABLE_H
#define LOOPSCOPE_STACKS_TABLE_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// One sample, in the terms of loopscope_frame.
struct StackSample {
  uint32_t Node;
  uint32_t Thread;
  uint32_t Flags;
  uint32_t Loading;
  uint32_t Depth;         ///< at least 1
  const uint64_t *Frames; ///< the innermost first
};

/// Registers its counter; call it before there is a profile.
void registerStackTable();

/// Makes the profile's table. Takes the slow lock.
void makeStackTable();

/// Adds one sample. If there is no room for its stack, tries its innermost
/// frame alone; then counts it as lost. Callable in a signal handler, which may
/// be left for good meanwhile: then the sample is lost, and a slot may stay
/// unused.
void addStackSample(const StackSample &Sample);

/// For a forked child, which has no table.
void resetStackTable();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_TABLE_H

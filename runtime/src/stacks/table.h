// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of samples in the profile: one slot per call path, thread and
// stack. It has a fixed size; threads add to it without a lock.

#ifndef LOOPSCOPE_STACKS_TABLE_H
#define LOOPSCOPE_STACKS_TABLE_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// A sample in the profile's format, with node, thread, flags, depth, loading
/// and frames set.
using StackSample = loopscope_stack;

/// Registers its counter; call it before there is a profile.
void registerStackTable();

/// Makes the profile's table. Takes the slow lock.
void makeStackTable();

/// Adds one sample. If there is no slot for it, tries its innermost frame
/// alone; then counts it as lost. Callable in a signal handler, which may be
/// left for good meanwhile: then the sample is lost, and a slot may stay
/// unused.
void addStackSample(StackSample &Sample);

/// For a forked child, which has no table.
void resetStackTable();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_TABLE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of samples in the profile: one slot for each call path, thread and
// stack. It has a fixed size; threads add to it without a lock.

#ifndef LOOPSCOPE_STACKS_TABLE_H
#define LOOPSCOPE_STACKS_TABLE_H

#include "core/tree.h"

namespace loopscope::runtime {

/// A sample, as the profile has it: node, thread, flags, depth, loading and
/// frames are set.
using StackSample = loopscope_stack;

/// Registers its counter, before there is a profile.
void registerStackTable();

/// Makes the profile's table. Takes the slow lock.
void makeStackTable();

/// Adds one sample. Where there is no slot for it, its innermost frame alone is
/// tried; then it is counted as lost. In a signal handler.
void addStackSample(StackSample &Sample);

/// For a forked child: there is no table.
void resetStackTable();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_TABLE_H

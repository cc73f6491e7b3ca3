// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life cycle of the process's profile.

#ifndef LOOPSCOPE_PROCESS_PROCESS_H
#define LOOPSCOPE_PROCESS_PROCESS_H

namespace loopscope::runtime {

/// Reads the options and prepares for recording at the first call: before main,
/// or at an even earlier hook. Returns whether this copy of the runtime
/// records.
bool startRuntime();

/// Makes the profile at the first call; false if out of memory. Takes the slow
/// lock.
bool ensureProfile();

/// Makes a forked child start over: its first hook makes its own profile. The
/// parent's mappings stay untouched.
void startOverInChild();

/// Forgets the profile, its threads and whatever extensions keep.
void forgetRun();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_PROCESS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saves a profile whose file is incomplete.

#ifndef LOOPSCOPE_PROCESS_PROFILE_SAVE_H
#define LOOPSCOPE_PROCESS_PROFILE_SAVE_H

namespace loopscope::runtime {

/// Ensures, at exit, that the profile is in a file; warns if it is lost. Takes
/// the slow lock.
void saveProfile();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_PROFILE_SAVE_H

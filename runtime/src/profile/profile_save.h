// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saves a profile whose file is incomplete.

#ifndef LOOPSCOPE_PROFILE_PROFILE_SAVE_H
#define LOOPSCOPE_PROFILE_PROFILE_SAVE_H

#include "profile_name.h"

namespace loopscope::runtime {

/// Ensures, at exit, that the profile is in a file: the one with NAME, one in
/// the working directory, or a temporary one. Warns if it is lost. Takes the
/// slow lock.
void saveProfile(const ProfileName &Name);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_PROFILE_SAVE_H

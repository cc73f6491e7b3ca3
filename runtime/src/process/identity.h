// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profile says about its process, and the names that follow from it.

#ifndef LOOPSCOPE_PROCESS_IDENTITY_H
#define LOOPSCOPE_PROCESS_IDENTITY_H

#include "base/system.h"
#include "profile/profile_name.h"
#include "rank.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Gathers it, once Process.Rank is known. Call before main.
void readIdentity();

/// Writes it, except for the options, into a new profile's header.
void describeIdentity(loopscope_profile_header &Into);

/// The working directory at the start; "" if that isn't known.
const char *workingDirectory();

/// The name of this process's profile.
ProfileName ownProfileName();

/// Makes the absolute path for OUTPUT (output=, log=), for this rank and for
/// RANK, as in makeProfileName(), and returns what that returns.
bool makeOutputPath(const char *Output, Text &Path);
bool makeOutputPath(const char *Output, Text &Path, int64_t Rank);

/// Replaces the environment's rank, here and in the profile; the profile keeps
/// its name. Call on a slow path.
void correctRank(const Rank &Known);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_IDENTITY_H

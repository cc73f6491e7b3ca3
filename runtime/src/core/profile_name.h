// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of the profile's file.

#ifndef LOOPSCOPE_CORE_PROFILE_NAME_H
#define LOOPSCOPE_CORE_PROFILE_NAME_H

#include "system.h"

namespace loopscope::runtime {

/// What a profile's name is made of.
struct ProfileName {
  const char *Output;           ///< output=, "" for the default
  const char *WorkingDirectory; ///< where the process started
  const char *Program;          ///< path of the executable
  int64_t Pid;
  int64_t RankIndex; ///< -1: none; AllRanks
};

/// The rank in the name of a file of all ranks together, which is that of a
/// program without ranks.
constexpr int64_t AllRanks = -2;

/// The absolute path of the profile. Default: PROGRAM.PID.loopscope, or
/// PROGRAM.PID.rankK.loopscope, in the working directory. `output=` is a
/// directory for that name (one that exists, or a path that ends in '/'), or
/// the file's own path, in which %p stands for the process id, %r for the rank
/// (0 without one, "all" of all) and %% for a percent sign; a rank that the
/// path doesn't mention is put before its extension.
void makeProfileName(const ProfileName &Name, Text &Path);

/// A file's path split from the extension that a number or a rank goes before:
/// the length of PATH without ".loopscope", or all of it.
size_t stemLength(const char *Path);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_PROFILE_NAME_H

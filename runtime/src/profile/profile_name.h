// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of the profile's file.

#ifndef LOOPSCOPE_PROFILE_PROFILE_NAME_H
#define LOOPSCOPE_PROFILE_PROFILE_NAME_H

#include "base/system.h"

namespace loopscope::runtime {

/// The parts of a profile's name.
struct ProfileName {
  const char *Output;           ///< output=, "" for the default
  const char *WorkingDirectory; ///< where the process started
  const char *Program;          ///< path of the executable
  int64_t Pid;
  int64_t RankIndex; ///< -1: none; AllRanks
};

/// The rank for a file of all ranks: its name is that of a program without
/// ranks.
constexpr int64_t AllRanks = -2;

/// The absolute path of the profile. Default: PROGRAM.PID.loopscope, or
/// PROGRAM.PID.rankK.loopscope, in the working directory. `output=` is a
/// directory for that name (one that exists, or a path that ends in '/'), or
/// the file's own path, in which %p stands for the process id, %r for the rank
/// (0 without ranks, "all" for all of them) and %% for a percent sign. If the
/// path doesn't mention the rank, it is inserted before the extension. Returns
/// whether the process id is in the name.
bool makeProfileName(const ProfileName &Name, Text &Path);

/// The length of PATH without ".loopscope", or all of it: a number or rank is
/// inserted there.
size_t stemLength(const char *Path);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_PROFILE_NAME_H

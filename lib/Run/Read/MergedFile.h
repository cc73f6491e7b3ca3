// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merged files (loopscope/profile_format_merged.h): the profiles of several
// ranks in one file. Everywhere else each is a file of its own, with the name
// FILE:RANK.
//
//   run.loopscope -> memberPaths -> run.loopscope:0, run.loopscope:1, ...
//   run.loopscope:1 -> openProfileBytes -> that rank's bytes

#ifndef LOOPSCOPE_RUN_READ_MERGEDFILE_H
#define LOOPSCOPE_RUN_READ_MERGEDFILE_H

#include "Run/Read/MappedFile.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loopscope {

/// The bytes of one profile, and the file that they are in.
struct OpenProfile {
  MappedFile File;
  std::span<const std::byte> Bytes; ///< as long as File lives
};

/// Opens the profile at PATH, which may be one in a merged file. A merged file
/// itself is an error, which says how its ranks are named.
Result<OpenProfile> openProfileBytes(const std::string &Path);

/// The names of the profiles in the merged file PATH, those that have wholly
/// arrived; of any other file, PATH alone. An error where it is a merged file
/// and damaged, or has none.
Result<std::vector<std::string>> memberPaths(const std::string &Path);

/// PATHS without the copies in merged files that are of a process whose own
/// profile is among them, which holds as much and more.
std::vector<std::string> withoutCopies(std::vector<std::string> Paths);

/// Bytes of a merged file with PROFILES, whose places are their ranks; an empty
/// one is of a rank that is missing.
std::string mergedFile(const std::vector<std::span<const std::byte>> &Profiles);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_MERGEDFILE_H

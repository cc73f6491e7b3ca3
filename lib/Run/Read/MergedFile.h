// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merged files (loopscope/profile_format_merged.h): the profiles of several
// ranks in one file. Everywhere else each is a file of its own, with the name
// FILE:RANK.
//
//   run.loopscope -> memberPaths -> run.loopscope:0, run.loopscope:1, ...
//   run.loopscope:1 -> openProfileBytes -> that rank's bytes

#ifndef LOOPSCOPE_RUN_READ_MERGEDFILE_H
#define LOOPSCOPE_RUN_READ_MERGEDFILE_H

#include "Run/Model/Parts.h"
#include "Run/Read/MappedFile.h"
#include "Support/Result.h"

#include <loopscope/profile_format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loopscope {

/// The bytes of one profile, and the file that they are in.
struct OpenProfile {
  MappedFile File;
  std::span<const std::byte> Bytes; ///< as long as this lives
  RunParts Parts;                   ///< which part of a run it is
  /// Bytes, of a later part or a packed copy, which are in no file.
  std::vector<std::byte> Made;
};

/// Opens the profile at \p Path, which may be inside a merged file. A merged
/// file itself is an error that says how to name its ranks. If the program
/// began new profiles (loopscope_reset), the bytes are those of the last part
/// alone, if the part before it is there, too.
Result<OpenProfile> openProfileBytes(const std::string &Path);

/// The file at \p Path, to read from later. Null unless \p Opened, from there,
/// is all of it, and it is still the same file.
std::shared_ptr<const OpenFile> fileOfBytes(const OpenProfile &Opened,
                                            const std::string &Path);

/// The first page of the file at \p Path, which may be inside a merged file and
/// need not be a profile. None if it can't be read, is shorter, or is a pipe.
std::optional<loopscope_profile_header> headerAt(const std::string &Path);

/// Whether \p Header is a profile's.
bool isProfile(const loopscope_profile_header &Header);

/// The names of the complete profiles in the merged file \p Path; for any other
/// file, just \p Path. An error if it is a merged file that is damaged or has
/// none.
Result<std::vector<std::string>> memberPaths(const std::string &Path);

/// \p Paths without those copies in merged files whose process also has its own
/// profile among them: that one holds at least as much.
std::vector<std::string> withoutCopies(std::vector<std::string> Paths);

/// The bytes of a merged file with \p Profiles, indexed by rank; an empty one
/// stands for a missing rank.
std::string mergedFile(const std::vector<std::span<const std::byte>> &Profiles);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_MERGEDFILE_H

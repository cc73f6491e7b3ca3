// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of source trees, in which a build makes everything anew.

#ifndef LOOPSCOPE_REPORT_COMMANDS_SOURCECOPY_H
#define LOOPSCOPE_REPORT_COMMANDS_SOURCECOPY_H

#include "Support/Result.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace loopscope {

/// Copies the tree \p From to \p To, which may be inside it and doesn't exist
/// yet. Left out are \p Without, folders of version control, profiles, and what
/// is no file, folder or link. Files above \p LargeFile bytes, which are
/// usually data, become links to the originals. Objects, archives and programs
/// get an old time stamp and all others the same new one, so that a build by
/// time stamps compiles everything and runs no generator again.
///
/// Refuses trees of more than 100,000 files. On failure, what was copied stays.
std::optional<Error> copySources(const std::filesystem::path &From,
                                 const std::filesystem::path &To,
                                 const std::filesystem::path &Without,
                                 uintmax_t LargeFile = uintmax_t{64} << 20);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SOURCECOPY_H

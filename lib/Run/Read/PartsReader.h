// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a run (loopscope/profile_format_parts.h): finds the file of the part
// before, and makes a later part of it.

#ifndef LOOPSCOPE_RUN_READ_PARTSREADER_H
#define LOOPSCOPE_RUN_READ_PARTSREADER_H

#include "Run/Model/Parts.h"
#include "Run/Read/ProfileBytes.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace loopscope {

/// What a profile says about its parts.
RunParts readParts(ProfileBytes &Records);

/// Makes what the profile \p Bytes holds of its last part alone, if the program
/// began a new one. The file of the part before must be beside \p Path; a
/// profile without a folder of its own, such as one in memory, may name any
/// file. \p About then has what is known of the part, or why it can't be told
/// apart. Empty if there is nothing to divide.
std::vector<std::byte> dividePart(std::span<const std::byte> Bytes,
                                  const std::string &Path, RunParts &About);

/// \p Paths without those parts of a run of which a later part is among them:
/// as further processes, they would count twice.
std::vector<std::string>
withoutEarlierParts(const std::vector<std::string> &Paths);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_PARTSREADER_H

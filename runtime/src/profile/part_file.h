// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a run (loopscope/profile_format_parts.h): writes what the profile
// holds to a file of its own, and notes in the profile that it is there.

#ifndef LOOPSCOPE_PROFILE_PART_FILE_H
#define LOOPSCOPE_PROFILE_PART_FILE_H

#include "base/system.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Ends the part of the run that lasts up to now: a file beside the profile's
/// has it, as a reader would see it at one moment, while other threads go on.
/// The file is complete before it has a name and before the profile refers to
/// it, so a kill at any moment leaves whole files. False: nothing was done, and
/// WHY says why. Takes the slow lock.
bool endPart(Text &Why);

/// Forgets the parts, for a forked child.
void resetParts();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_PART_FILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates files under names that may be taken; never writes to an existing
// file.

#ifndef LOOPSCOPE_BASE_FREE_NAME_H
#define LOOPSCOPE_BASE_FREE_NAME_H

#include "kernel_time.h"
#include "system.h"

#include <errno.h>

namespace loopscope::runtime {

/// Calls MAKE with PATH and, while it fails with EEXIST, with numbered names
/// that insert a number after the first STEM characters: "run.2.loopscope" and
/// so on up to 1000, then the time. NAME is the name tried last. Returns
/// MAKE's last result; -1 with errno means an error.
template <typename Function>
int makeUnderFreeName(const char *Path, size_t Stem, Text &Name,
                      Function Make) {
  constexpr int64_t MostInOrder = 1000;
  constexpr int64_t Most = MostInOrder + 16;
  for (int64_t Number = 1; Number <= Most; ++Number) {
    Name.clear();
    if (Number == 1)
      Name << Path;
    else
      Name.append(Path, Stem)
          << '.' << (Number <= MostInOrder ? Number : realtimeNs())
          << (Path + Stem);
    if (Name.isCut()) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int Result = Make(Name.c_str());
    if (Result >= 0 || errno != EEXIST)
      return Result;
  }
  return -1;
}

/// Warns that this run's WHAT (a profile, a log) is in NAME instead of PATH, if
/// they differ.
void warnOfOtherName(const char *What, const char *Path, const char *Name);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_FREE_NAME_H

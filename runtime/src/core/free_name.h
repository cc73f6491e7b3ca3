// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// New files under names that may be taken: nothing that is there is ever
// written to.

#ifndef LOOPSCOPE_CORE_FREE_NAME_H
#define LOOPSCOPE_CORE_FREE_NAME_H

#include "clock.h"
#include "system.h"

#include <errno.h>

namespace loopscope::runtime {

/// Calls MAKE with PATH, and while that says EEXIST with numbered names, the
/// number behind the first STEM characters: "run.2.loopscope", up to 1000, and
/// then numbers that nobody has counted up to. NAME is the name last tried.
/// Gives what MAKE gave last, -1 and errno for an error.
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

/// Says that this run's WHAT (a profile, a log) isn't in PATH but in NAME, if
/// that is another one.
void warnOfOtherName(const char *What, const char *Path, const char *Name);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_FREE_NAME_H

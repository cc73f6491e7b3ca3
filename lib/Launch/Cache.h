// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a compiler cache gives to files.
//
// A cache finds an object of another directory again if its command and its
// text name files in the same way there.

#ifndef LOOPSCOPE_LAUNCH_CACHE_H
#define LOOPSCOPE_LAUNCH_CACHE_H

#include "Launch/CommandLine.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// Whether \p Line runs its compiler, gcc or clang, through a compiler cache:
/// one in front of it, or one that has the compiler's name.
bool isCached(const CommandLine &Line);

/// How the cache of one command names files. ccache makes absolute paths below
/// its setting base_dir relative to the directory of the compile.
class CacheNames {
public:
  /// Asks the cache of \p Line, which runs in \p Directory.
  CacheNames(const CommandLine &Line, std::string Directory);

  std::string nameOf(const std::string &Path) const;
  /// The words of \p Line with such names for sources and for what they
  /// include.
  std::vector<std::string> words(const CommandLine &Line) const;

private:
  std::string Directory;
  std::string Base; ///< "": paths stay as they are.
};

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_CACHE_H

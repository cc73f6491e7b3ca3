// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files, and what is in them.

#ifndef LOOPSCOPE_SUPPORT_PATHS_H
#define LOOPSCOPE_SUPPORT_PATHS_H

#include <optional>
#include <string>
#include <string_view>

namespace loopscope {

/// The last part of \p Path, which must outlive it.
inline std::string_view fileName(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

/// Whether \p Path lies in a folder for libraries of the system's packages.
bool isSystemLibrary(std::string_view Path);

/// All that is in a file; nothing if it can't be opened, or not be read to its
/// end: a folder, say. Opening a device or a pipe may wait for ever.
std::optional<std::string> readWholeFile(const std::string &Path);

/// The same; empty where that is nothing.
std::string readFile(const std::string &Path);

/// Where a build tree, in which this program runs, has what an installed
/// program has beside it: "headers" of the runtime, or "clang" for Clang's own.
/// Empty if this is no build tree, or \p Name isn't known there.
std::string inBuildTree(std::string_view Name);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_PATHS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rewriter wrote, as the launcher needs it.
//
// The launcher's reading of the rewriter's manifest
// (lib/Instrument/Model/Manifest.h defines it) and the names that follow from
// it.

#ifndef LOOPSCOPE_LAUNCH_MIRROR_H
#define LOOPSCOPE_LAUNCH_MIRROR_H

#include "Launch/CommandLine.h"
#include "Launch/Record.h"
#include "Support/Result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loopscope::launch {

/// A file that is compiled in place of another.
struct MirroredFile {
  std::string Original; ///< Absolute.
  std::string Spelling; ///< What a plain compile calls it.
  std::string Mirrored; ///< As the compiler gets it.
  bool Main = false;
};

/// What the manifest of one source says.
struct Mirror {
  enum class Outcome { Instrumented, Unchanged, Failed };
  Outcome Status = Outcome::Unchanged;
  std::vector<MirroredFile> Files;
  bool OwnCleanups = false; ///< C: a variable of the program has a cleanup.
  /// From a path or directory (ending in '/') as the compiler sees it to the
  /// one that a normal compile shows; the longest match counts.
  std::vector<std::pair<std::string, std::string>> Renames;
  /// Files, and functions of files, that should have hooks but don't, as the
  /// report's footer names them.
  std::vector<std::string> WithoutHooks;
  /// Functions left out because an earlier run shows them to be small: "PLACE
  /// NAME".
  std::vector<std::string> SmallInProfile;
  std::vector<RuleOutcome> Rules; ///< With a selection.

  /// The mirrored path of the file at absolute path \p Original, or "".
  std::string mirroredPath(std::string_view Original) const;
  /// The name that a normal compile uses for \p Path.
  std::string plainName(const std::string &Path) const;
};

/// Where a mirror stands.
struct MirrorNames {
  std::string Directory; ///< Absolute.
  std::string Given;     ///< The same directory as the compiler gets it.
  bool isRelative() const { return !Given.empty() && Given.front() != '/'; }
};

/// Reads the manifest of the mirror \p Names. \p Main is the source as the
/// command names it.
Result<Mirror> readMirror(std::string_view Manifest, const std::string &Main,
                          const MirrorNames &Names);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_MIRROR_H

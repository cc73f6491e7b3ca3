// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rewriter wrote, as the launcher needs it.
//
// The launcher's reading of the rewriter's manifest (lib/Instrument/Manifest.h
// defines it) and the names that follow from it.

#ifndef LOOPSCOPE_LAUNCH_MIRROR_H
#define LOOPSCOPE_LAUNCH_MIRROR_H

#include "Launch/CommandLine.h"
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
  std::string Mirrored; ///< Absolute.
  bool Main = false;
};

/// What the manifest of one source says.
struct Mirror {
  enum class Outcome { Instrumented, Unchanged, Failed };
  Outcome Status = Outcome::Unchanged;
  std::vector<MirroredFile> Files;
  /// From a path or directory (ending in '/') in the compiler's view to the
  /// one that a plain compile shows; the last one that fits counts.
  std::vector<std::pair<std::string, std::string>> Renames;
  /// Files, and functions of files, that have no hooks though they should, as
  /// the report's footer names them.
  std::vector<std::string> WithoutHooks;
  /// Functions left out as an earlier run shows them to be small: "PLACE NAME".
  std::vector<std::string> SmallInProfile;

  /// The mirrored path of the file at absolute path ORIGINAL, or "".
  std::string mirroredPath(std::string_view Original) const;
  /// What a plain compile calls PATH.
  std::string plainName(const std::string &Path) const;
};

/// Reads a manifest. MAIN is the source as it stands in the command; KIND's
/// ways of naming headers are followed.
Result<Mirror> readMirror(std::string_view Manifest, const std::string &Main,
                          Family Kind);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_MIRROR_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses where rewritten sources go.
//
// A mirror is a directory beside the object, the same in every build, so that
// caches see the same command. Only what a launcher created is ever removed:
// the directory is created by mkdir, or taken over from a launcher that was
// killed or told to keep it. A marker in it distinguishes it from anything else
// of that name, and a lock on the marker tells whether its launcher is alive.

#ifndef LOOPSCOPE_LAUNCH_MIRRORPLACE_H
#define LOOPSCOPE_LAUNCH_MIRRORPLACE_H

#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// The mirrors of one command.
class MirrorPlace {
public:
  /// If \p Keep is set, the mirrors stay.
  explicit MirrorPlace(bool Keep) : Keep(Keep) {}
  ~MirrorPlace();
  MirrorPlace(const MirrorPlace &) = delete;
  MirrorPlace &operator=(const MirrorPlace &) = delete;

  /// Creates an empty directory NAME.loopscope-mirror and returns its path. If
  /// that name isn't free (taken by something else, another build working on
  /// the same object, no permission), the directory is a temporary one.
  Result<std::string> make(const std::string &Name);

private:
  struct Made {
    std::string Path;
    int Marker; ///< Open and locked while the directory is in use; or -1.
  };

  bool Keep;
  std::vector<Made> All;
};

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_MIRRORPLACE_H

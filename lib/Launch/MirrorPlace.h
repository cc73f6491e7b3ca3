// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where rewritten sources stand.
//
// A mirror is a directory beside the object, the same at every build, so that
// caches see the same command. Nothing is removed but what a launcher made:
// the directory is made by mkdir or taken over from a launcher that was killed
// or told to keep it. A marker in it tells those apart from anything else that
// may have the name, and a lock on the marker tells whether its launcher lives.

#ifndef LOOPSCOPE_LAUNCH_MIRRORPLACE_H
#define LOOPSCOPE_LAUNCH_MIRRORPLACE_H

#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// The mirrors of one command.
class MirrorPlace {
public:
  /// KEEP leaves them behind.
  explicit MirrorPlace(bool Keep) : Keep(Keep) {}
  ~MirrorPlace();
  MirrorPlace(const MirrorPlace &) = delete;
  MirrorPlace &operator=(const MirrorPlace &) = delete;

  /// Makes an empty directory NAME.loopscope-mirror and returns its path. Where
  /// that name isn't free (something else has it, another build works on the
  /// same object, no rights), the directory is a temporary one.
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

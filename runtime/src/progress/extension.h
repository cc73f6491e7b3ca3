// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While the program runs: lines of JSON in a file (log=FILE) and a line on the
// terminal (progress), made at the end of a step, at most a few times a second.

#ifndef LOOPSCOPE_PROGRESS_EXTENSION_H
#define LOOPSCOPE_PROGRESS_EXTENSION_H

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension ProgressExtension;

/// What LOOPSCOPE= asks of the room.
struct ProgressOptions {
  char Log[512] = ""; ///< empty for none
  bool OnTerminal = false;
};
/// Constant after start-up.
extern ProgressOptions ProgressSettings;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROGRESS_EXTENSION_H

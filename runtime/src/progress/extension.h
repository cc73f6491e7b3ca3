// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live progress: lines of JSON in a file (log=FILE) and a line on the terminal
// (progress), written at the end of a step, at most a few times per second.

#ifndef LOOPSCOPE_PROGRESS_EXTENSION_H
#define LOOPSCOPE_PROGRESS_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension ProgressExtension;

/// Settings from LOOPSCOPE=.
struct ProgressOptions {
  char Log[512] = ""; ///< empty: no log
  bool OnTerminal = false;
};
/// Constant after start-up.
extern ProgressOptions ProgressSettings;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROGRESS_EXTENSION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Begins and ends the pause as hooks would.

#include "own_pause.h"

#include "attach.h"
#include "base/clock.h"
#include "tree/pause.h"
#include "tree/slow_path.h"

using namespace loopscope::runtime;

OwnPause::OwnPause() {
  SlowPath Path;
  if (Path)
    Of = attachThread();
  if (Of != nullptr)
    pauseRecording(Of, now());
}

OwnPause::~OwnPause() {
  SlowPath Path;
  if (Of != nullptr)
    resumeRecording(Of, now());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of loopscope.h that pause the recording of a thread.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "extension.h"

#include "base/clock.h"
#include "base/objects.h"
#include "process/attach.h"
#include "process/process.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/pause.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>

#include <errno.h>

using namespace loopscope::runtime;

namespace {
// A forked child records, whatever its parent did.
bool isForked() {
  return Header != nullptr && (Header->flags & LOOPSCOPE_FLAG_FORKED) != 0;
}

// For the copy of the runtime that records.
void takePause(bool Begins) {
  int Saved = errno;
  if (startRuntime()) {
    SlowPath Path;
    Thread *T = Path ? attachThread() : nullptr;
    if (T != nullptr && Begins)
      pauseRecording(T, now());
    else if (T != nullptr && !resumeRecording(T, now()) && !isForked())
      addToCounter(LOOPSCOPE_COUNT_STRAY_RESUME, 1);
  }
  errno = Saved;
}

void start() { registerCounter(LOOPSCOPE_COUNT_STRAY_RESUME); }

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takePause); }
} // namespace

__attribute__((weak)) void loopscope_pause() noexcept {
  callInRecorder(PauseExtension.Name, takePause, true);
}

__attribute__((weak)) void loopscope_resume() noexcept {
  callInRecorder(PauseExtension.Name, takePause, false);
}

const Extension loopscope::runtime::PauseExtension = {
    .Name = "pause",
    .Words = {},
    .Start = start,
    .Entry = entry,
};

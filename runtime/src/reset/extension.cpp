// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of loopscope.h that begins a new profile. The tree goes on: what
// it holds at this moment goes to a file, and readers subtract it.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "extension.h"

#include "base/objects.h"
#include "process/own_pause.h"
#include "process/process.h"
#include "profile/part_file.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>

#include <errno.h>

using namespace loopscope::runtime;

namespace {
bool HasWarned = false;

// Says the first reason; a loop of resets has the same one each time.
void refuse(const Text &Why) {
  addToCounter(LOOPSCOPE_COUNT_RESETS_REFUSED, 1);
  if (!__atomic_exchange_n(&HasWarned, true, __ATOMIC_RELAXED))
    warn(Why.c_str());
}

// For the copy of the runtime that records.
void takeReset() {
  int Saved = errno;
  if (startRuntime() && __atomic_load_n(&Header, __ATOMIC_ACQUIRE) != nullptr) {
    if (OwnPause Pause; Pause) {
      TextBuffer<1400> Why;
      SlowPath Path;
      if (Path && !endPart(Why))
        refuse(Why);
    }
  }
  errno = Saved;
}

void start() { registerCounter(LOOPSCOPE_COUNT_RESETS_REFUSED); }

void forget() {
  HasWarned = false;
  resetParts();
}

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeReset); }
} // namespace

__attribute__((weak)) void loopscope_reset() noexcept {
  callInRecorder(ResetExtension.Name, takeReset);
}

const Extension loopscope::runtime::ResetExtension = {
    .Name = "reset",
    .Words = {},
    .Start = start,
    .ChildOfFork = forget,
    .Entry = entry,
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of loopscope.h that prints a report while the program runs.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "extension.h"

#include "base/objects.h"
#include "process/own_pause.h"
#include "process/process.h"
#include "process/report_launch.h"

#include <errno.h>
#include <pthread.h>

using namespace loopscope::runtime;

namespace {
// Reports of several threads come one after another.
pthread_mutex_t Turn = PTHREAD_MUTEX_INITIALIZER;

// For the copy of the runtime that records.
void takeReport() {
  int Saved = errno;
  if (startRuntime()) {
    if (OwnPause Pause; Pause) {
      pthread_mutex_lock(&Turn);
      launchReport(ReportTime::Now);
      pthread_mutex_unlock(&Turn);
    }
  }
  errno = Saved;
}

// Another thread may have had its turn when the process forked.
void reset() { pthread_mutex_init(&Turn, nullptr); }

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeReport); }
} // namespace

__attribute__((weak)) void loopscope_report() noexcept {
  callInRecorder(ReportExtension.Name, takeReport);
}

const Extension loopscope::runtime::ReportExtension = {
    .Name = "report",
    .Words = {},
    .ChildOfFork = reset,
    .Entry = entry,
};

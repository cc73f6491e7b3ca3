// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name is that of the thread's tree until the thread ends.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "extension.h"

#include "base/objects.h"
#include "process/attach.h"
#include "process/process.h"
#include "tree/slow_path.h"
#include "tree/threads.h"

using namespace loopscope::runtime;

namespace {
// For the copy of the runtime that records.
void takeName(const char *Name) {
  if (Name == nullptr || *Name == 0 || !startRuntime())
    return;
  SlowPath Path;
  Thread *T = Path ? attachThread() : nullptr;
  if (T != nullptr)
    nameThread(T, Name);
}

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeName); }
} // namespace

__attribute__((weak)) void loopscope_name_thread(const char *Name) noexcept {
  callInRecorder(ThreadsExtension.Name, takeName, Name);
}

const Extension loopscope::runtime::ThreadsExtension = {
    .Name = "threads",
    .Words = {},
    .Entry = entry,
};

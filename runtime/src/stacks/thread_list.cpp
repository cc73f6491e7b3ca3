// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/self/task.

#include "thread_list.h"

#include "base/folder_names.h"
#include "base/own_files.h"
#include "base/system.h"

#include <fcntl.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
void readThreads(ThreadList &Into) {
  Into.Count = 0;
  Into.IsWhole = false;
  int File = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (File < 0)
    return;
  Into.IsWhole = forEachName(File, [&](const char *Name) {
    int64_t Tid = 0;
    if (Into.Count < ThreadList::Most && parseNumber(Name, Tid))
      Into.Tids[Into.Count++] = static_cast<int>(Tid);
  });
  close(File);
}
} // namespace

void loopscope::runtime::listThreads(ThreadList &Into) {
  withOwnFiles([&] { readThreads(Into); });
}

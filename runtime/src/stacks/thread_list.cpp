// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/self/task without libc's memory for directories.

#include "thread_list.h"

#include "base/own_files.h"
#include "base/system.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
void readThreads(ThreadList &Into) {
  Into.Count = 0;
  Into.IsWhole = false;
  int File = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (File < 0)
    return;
  struct Entry { // linux_dirent64
    uint64_t Inode;
    int64_t Offset;
    uint16_t Bytes;
    uint8_t Kind;
    char Name[1];
  };
  alignas(Entry) char Buffer[2048];
  for (;;) {
    long Bytes = syscall(SYS_getdents64, File, Buffer, sizeof(Buffer));
    Into.IsWhole = Bytes >= 0;
    if (Bytes <= 0)
      break;
    for (long At = 0; At < Bytes;) {
      const auto *Each = reinterpret_cast<const Entry *>(Buffer + At);
      int64_t Tid = 0;
      if (Into.Count < ThreadList::Most && parseNumber(Each->Name, Tid))
        Into.Tids[Into.Count++] = static_cast<int>(Tid);
      At += Each->Bytes;
    }
  }
  close(File);
}
} // namespace

void loopscope::runtime::listThreads(ThreadList &Into) {
  withOwnFiles([&] { readThreads(Into); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names in a folder, without libc's memory for directories.

#ifndef LOOPSCOPE_BASE_FOLDER_NAMES_H
#define LOOPSCOPE_BASE_FOLDER_NAMES_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace loopscope::runtime {

/// Calls FOUND(name) with each name in the folder that the descriptor FOLDER is
/// open for. Returns whether it could read to the end.
template <typename Function> bool forEachName(int Folder, Function Found) {
  struct Entry { // linux_dirent64
    uint64_t Inode;
    int64_t Offset;
    uint16_t Bytes;
    uint8_t Kind;
    char Name[1];
  };
  alignas(Entry) char Buffer[2048];
  for (;;) {
    long Bytes = syscall(SYS_getdents64, Folder, Buffer, sizeof(Buffer));
    if (Bytes <= 0)
      return Bytes == 0;
    for (long At = 0; At < Bytes;) {
      const auto *Each = reinterpret_cast<const Entry *>(Buffer + At);
      Found(Each->Name);
      At += Each->Bytes;
    }
  }
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_FOLDER_NAMES_H

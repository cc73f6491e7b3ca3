// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One chunk behind the last one.

#include "Run/Read/AppendCalls.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace loopscope;

namespace {
bool write(int File, uint64_t Offset, const void *Bytes, size_t Size) {
  return pwrite(File, Bytes, Size, static_cast<off_t>(Offset)) ==
         static_cast<ssize_t>(Size);
}

bool isEndedProfile(const loopscope_profile_header &H, int Pid) {
  return std::memcmp(H.magic, LOOPSCOPE_PROFILE_MAGIC, sizeof(H.magic)) == 0 &&
         H.version_major == LOOPSCOPE_PROFILE_VERSION_MAJOR && H.pid == Pid &&
         kill(Pid, 0) != 0 && errno == ESRCH;
}

void append(int File, int Pid,
            const std::vector<loopscope_call_count> &Counts) {
  loopscope_profile_header H;
  struct stat Status{};
  if (pread(File, &H, sizeof(H), 0) != sizeof(H) || !isEndedProfile(H, Pid) ||
      fstat(File, &Status) != 0 ||
      H.used_bytes > static_cast<uint64_t>(Status.st_size) ||
      H.used_bytes % LOOPSCOPE_PROFILE_PAGE != 0)
    return;
  loopscope_chunk_header Head{};
  size_t Bytes = Counts.size() * sizeof(Counts[0]);
  Head.magic = LOOPSCOPE_CHUNK_MAGIC;
  Head.type = LOOPSCOPE_CHUNK_CALL_COUNTS;
  Head.size = (sizeof(Head) + Bytes + LOOPSCOPE_PROFILE_PAGE - 1) /
              LOOPSCOPE_PROFILE_PAGE * LOOPSCOPE_PROFILE_PAGE;
  Head.capacity = static_cast<uint32_t>(Counts.size());
  Head.used = Head.capacity;
  Head.entry_size = sizeof(Counts[0]);
  uint64_t End = H.used_bytes + Head.size;
  if (static_cast<uint64_t>(Status.st_size) < End &&
      ftruncate(File, static_cast<off_t>(End)) != 0)
    return;
  if (write(File, H.used_bytes + sizeof(Head), Counts.data(), Bytes) &&
      write(File, H.used_bytes, &Head, sizeof(Head)))
    write(File, offsetof(loopscope_profile_header, used_bytes), &End,
          sizeof(End));
}
} // namespace

void loopscope::appendCalls(const std::string &Path, int Pid,
                            const std::vector<loopscope_call_count> &Counts) {
  int File = open(Path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (File < 0)
    return;
  if (!Counts.empty())
    append(File, Pid, Counts);
  close(File);
}

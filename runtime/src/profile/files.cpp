// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and fills files by the kernel's calls.

#include "files.h"

#include "base/free_name.h"
#include "base/own_files.h"
#include "profile_name.h"

#include <loopscope/profile_format.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
// Not /proc/self, which is the main thread, which may have ended.
constexpr const char *OwnDescriptors = "/proc/thread-self/fd";

// Whether a file of SIZE bytes is beyond the size limit, where the kernel would
// send SIGXFSZ.
bool isBeyondLimit(uint64_t Size) {
  rlimit Limit{};
  return getrlimit(RLIMIT_FSIZE, &Limit) == 0 &&
         Limit.rlim_cur != RLIM_INFINITY && Size > Limit.rlim_cur;
}

// Whether PATH exists and is neither a file nor a directory. /dev/stdout may
// lead to a file, but no file can be created next to it.
bool isDevice(const char *Path) {
  struct stat Status{};
  if (stat(Path, &Status) != 0 || S_ISDIR(Status.st_mode))
    return false;
  return !S_ISREG(Status.st_mode) ||
         (strncmp(Path, "/dev/", 5) == 0 && strncmp(Path, "/dev/shm/", 9) != 0);
}

// Gives the unnamed file FROM the name PATH, which must be free. -1 and
// errno on failure.
int giveName(int From, const char *Path) {
  TextBuffer<48> Link;
  Link << OwnDescriptors << '/' << static_cast<int64_t>(From);
  return linkat(AT_FDCWD, Link.c_str(), AT_FDCWD, Path, AT_SYMLINK_FOLLOW) == 0
             ? From
             : -1;
}

} // namespace

int loopscope::runtime::createNameless(const char *Path) {
  if (isDevice(Path) || access(OwnDescriptors, X_OK) != 0)
    return -1;
  const char *Slash = strrchr(Path, '/');
  TextBuffer<1024> Directory;
  if (Slash == nullptr)
    Directory << '.';
  else
    Directory.append(Path, static_cast<size_t>(Slash - Path) + 1);
  return aboveStreams(
      open(Directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666),
      F_DUPFD_CLOEXEC);
}

int loopscope::runtime::createFile(const char *Path, int From, Text &Name,
                                   int &Error) {
  if (isDevice(Path)) {
    Error = ENODEV;
    return -1;
  }
  int Result = makeUnderFreeName(
      Path, stemLength(Path), Name, [From](const char *Candidate) {
        if (From >= 0)
          return giveName(From, Candidate);
        return aboveStreams(
            open(Candidate, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 0666),
            F_DUPFD_CLOEXEC);
      });
  Error = Result < 0 ? errno : 0;
  return Result;
}

int loopscope::runtime::allocateFile(int Descriptor, uint64_t From,
                                     uint64_t Size) {
  if (isBeyondLimit(From + Size))
    return EFBIG;
  if (fallocate(Descriptor, 0, static_cast<off_t>(From),
                static_cast<off_t>(Size)) == 0)
    return 0;
  if (errno != EOPNOTSUPP && errno != ENOSYS)
    return errno;
  // The file system can't preallocate: write zeros.
  constexpr uint64_t Page = LOOPSCOPE_PROFILE_PAGE;
  static const char Zeros[Page] = {};
  for (uint64_t Done = 0; Done < Size;) {
    ssize_t Written =
        pwrite(Descriptor, Zeros, Page, static_cast<off_t>(From + Done));
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return Written == 0 ? ENOSPC : errno;
    Done += static_cast<uint64_t>(Written);
  }
  return 0;
}

bool loopscope::runtime::writeAll(int Descriptor, const void *Data,
                                  uint64_t Size, uint64_t Offset) {
  if (isBeyondLimit(Offset + Size)) {
    errno = EFBIG;
    return false;
  }
  const auto *At = static_cast<const char *>(Data);
  while (Size != 0) {
    ssize_t Written = pwrite(Descriptor, At, Size, static_cast<off_t>(Offset));
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0) {
      errno = Written == 0 ? ENOSPC : errno;
      return false;
    }
    At += Written;
    Offset += static_cast<uint64_t>(Written);
    Size -= static_cast<uint64_t>(Written);
  }
  return true;
}

const char *loopscope::runtime::reasonOf(int Error) {
  switch (Error) {
  case ENOSPC:
  case EDQUOT:
    return "no space left";
  case EACCES:
  case EPERM:
    return "permission denied";
  case EROFS:
    return "read-only file system";
  case ENOENT:
    return "no such directory";
  case EFBIG:
    return "the file size limit (ulimit -f) is reached";
  case ENOTDIR:
    return "not a directory";
  case ENODEV:
    return "it is a device or a pipe";
  case EEXIST:
    return "that name and a thousand numbered ones are taken";
  default:
    return strerrordesc_np(Error);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of programs alone.

#include "old_glibc.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// 2.29 has versions that leave errno to the caller.
OLD(exp, double, (double X), (X))
OLD(exp2, double, (double X), (X))
OLD(log, double, (double X), (X))
OLD(log2, double, (double X), (X))
OLD(pow, double, (double X, double Y), (X, Y))

// 2.30.
WRAP(gettid, pid_t, ()) { return static_cast<pid_t>(syscall(SYS_gettid)); }

// A clock other than the condition's own: its distance is kept.
WRAP(pthread_cond_clockwait, int,
     (pthread_cond_t * Condition, pthread_mutex_t *Mutex, clockid_t Clock,
      const timespec *Until)) {
  constexpr long NsPerSecond = 1000000000;
  timespec Now{};
  timespec Real{};
  clock_gettime(Clock, &Now);
  clock_gettime(CLOCK_REALTIME, &Real);
  timespec End{Real.tv_sec + (Until->tv_sec - Now.tv_sec),
               Real.tv_nsec + (Until->tv_nsec - Now.tv_nsec)};
  if (End.tv_nsec < 0) {
    --End.tv_sec;
    End.tv_nsec += NsPerSecond;
  } else if (End.tv_nsec >= NsPerSecond) {
    ++End.tv_sec;
    End.tv_nsec -= NsPerSecond;
  }
  return pthread_cond_timedwait(Condition, Mutex, &End);
}

// 2.32 tells libstdc++ here whether a process has one thread. Zero: it may have
// more. This row has no function:
// WRAP(__libc_single_threaded)
// NOLINTBEGIN(bugprone-reserved-identifier): glibc's and the linker's names.
extern "C" {
extern char __wrap___libc_single_threaded;
char __wrap___libc_single_threaded = 0;
}
// NOLINTEND(bugprone-reserved-identifier)

// libpthread's, until 2.32 moved it; sigprocmask() does the same on Linux.
WRAP(pthread_sigmask, int, (int How, const sigset_t *Set, sigset_t *Old)) {
  int Saved = errno;
  int Result = sigprocmask(How, Set, Old) == 0 ? 0 : errno;
  errno = Saved;
  return Result;
}

// 2.32. Null without it, as for a number that no signal has.
WRAP(sigabbrev_np, const char *, (int Number)) {
  using Function = const char *(*)(int);
  auto Newer = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "sigabbrev_np"));
  return Newer == nullptr ? nullptr : Newer(Number);
}

// 2.33: until then headers called other names. The kernel's structure is
// glibc's on 64-bit processors.
namespace {
int statAt(int Folder, const char *Path, void *Into, int Flags) {
  return static_cast<int>(syscall(SYS_newfstatat, Folder, Path, Into, Flags));
}
} // namespace
WRAP(fstatat, int,
     (int Folder, const char *Path, struct stat *Into, int Flags)) {
  return statAt(Folder, Path, Into, Flags);
}
WRAP(stat, int, (const char *Path, struct stat *Into)) {
  return statAt(AT_FDCWD, Path, Into, 0);
}
WRAP(stat64, int, (const char *Path, struct stat64 *Into)) {
  return statAt(AT_FDCWD, Path, Into, 0);
}
WRAP(lstat, int, (const char *Path, struct stat *Into)) {
  return statAt(AT_FDCWD, Path, Into, AT_SYMLINK_NOFOLLOW);
}
WRAP(lstat64, int, (const char *Path, struct stat64 *Into)) {
  return statAt(AT_FDCWD, Path, Into, AT_SYMLINK_NOFOLLOW);
}
WRAP(fstat, int, (int File, struct stat *Into)) {
  return static_cast<int>(syscall(SYS_fstat, File, Into));
}
WRAP(fstat64, int, (int File, struct stat64 *Into)) {
  return static_cast<int>(syscall(SYS_fstat, File, Into));
}

// 2.33 made the counts 64 bits wide. Older headers lack the structure.
#if __GLIBC_PREREQ(2, 33)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
WRAP(mallinfo2, struct mallinfo2, ()) {
  struct mallinfo Old = mallinfo();
  auto Wide = [](int Count) { return size_t(static_cast<unsigned>(Count)); };
  return {Wide(Old.arena),   Wide(Old.ordblks),  Wide(Old.smblks),
          Wide(Old.hblks),   Wide(Old.hblkhd),   Wide(Old.usmblks),
          Wide(Old.fsmblks), Wide(Old.uordblks), Wide(Old.fordblks),
          Wide(Old.keepcost)};
}
#pragma GCC diagnostic pop
#endif

// 2.36.
WRAP(arc4random, uint32_t, ()) {
  uint32_t Number = 0;
  while (getrandom(&Number, sizeof(Number), 0) != sizeof(Number)) {
  }
  return Number;
}

// 2.34 calls a program's constructors itself; before, the program's start files
// gave a function for that. With one, all versions call it.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
using Constructor = void (*)(int, char **, char **);
extern Constructor __init_array_start[] __attribute__((visibility("hidden")));
extern Constructor __init_array_end[] __attribute__((visibility("hidden")));
void _init();
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {
void construct(int Count, char **Arguments, char **Environment) {
  _init();
  for (Constructor *Each = __init_array_start; Each != __init_array_end; ++Each)
    (*Each)(Count, Arguments, Environment);
}
} // namespace

extern "C" int loopscope_old_libc_start_main(int (*Main)(int, char **, char **),
                                             int Count, char **Arguments,
                                             Constructor Init, void (*Fini)(),
                                             void (*Unload)(), void *StackEnd);
__asm__(
    ".symver loopscope_old_libc_start_main,__libc_start_main@" FIRST_VERSION);
WRAP(__libc_start_main, int,
     (int (*Main)(int, char **, char **), int Count, char **Arguments,
      Constructor, void (*Fini)(), void (*Unload)(), void *StackEnd)) {
  return loopscope_old_libc_start_main(Main, Count, Arguments, construct, Fini,
                                       Unload, StackEnd);
}

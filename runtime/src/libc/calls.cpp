// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// System calls, and libc's per-process state, for the runtime only; see
// names.h. None of them is a cancellation point.

#include "base/glibc_only.h"
#include "system_call.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <termios.h>

using loopscope::runtime::isGlibc;
using loopscope::runtime::systemCall;

// Reserved names in libc, which no program defines.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
extern char **__environ;
int __cxa_atexit(void (*Function)(void *), void *Argument, void *Object);
extern char __dso_handle __attribute__((visibility("hidden")));
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {
// Returns -1 and sets errno for a negative error number, as libc does.
long answer(long Result) {
  if (Result >= 0 || Result < -4095)
    return Result;
  errno = static_cast<int>(-Result);
  return -1;
}

long word(const void *Pointer) { return reinterpret_cast<long>(Pointer); }

template <typename... Arguments> long call(long Number, Arguments... All) {
  return answer(systemCall(Number, static_cast<long>(All)...));
}

void *mapping(long Result) { return reinterpret_cast<void *>(answer(Result)); }

// The part of a signal set that the kernel uses.
uint64_t &bits(sigset_t *Set) { return *reinterpret_cast<uint64_t *>(Set); }
constexpr size_t KernelSet = sizeof(uint64_t);

// libc's own signals, which threads must not block: 32 and 33, and musl's 34.
// In glibc's programs that one is SIGRTMIN.
uint64_t internalSignals() { return uint64_t(isGlibc() ? 3 : 7) << 31; }
} // namespace

extern "C" {
int loopscope_open_(const char *Path, int Flags, mode_t Mode) {
  return static_cast<int>(call(SYS_openat, AT_FDCWD, word(Path), Flags, Mode));
}

int loopscope_openat_(int Folder, const char *Path, int Flags, mode_t Mode) {
  return static_cast<int>(call(SYS_openat, Folder, word(Path), Flags, Mode));
}

int loopscope_close_(int File) {
  return static_cast<int>(call(SYS_close, File));
}

ssize_t loopscope_read_(int File, void *Buffer, size_t Size) {
  return call(SYS_read, File, word(Buffer), Size);
}

ssize_t loopscope_write_(int File, const void *Data, size_t Size) {
  return call(SYS_write, File, word(Data), Size);
}

ssize_t loopscope_pread_(int File, void *Data, size_t Size, off_t At) {
  return call(SYS_pread64, File, word(Data), Size, At);
}

ssize_t loopscope_pwrite_(int File, const void *Data, size_t Size, off_t At) {
  return call(SYS_pwrite64, File, word(Data), Size, At);
}

int loopscope_access_(const char *Path, int Mode) {
  return static_cast<int>(call(SYS_faccessat, AT_FDCWD, word(Path), Mode));
}

int loopscope_fallocate_(int File, int Mode, off_t At, off_t Size) {
  return static_cast<int>(call(SYS_fallocate, File, Mode, At, Size));
}

int loopscope_fcntl_(int File, int Command, long Argument) {
  return static_cast<int>(call(SYS_fcntl, File, Command, Argument));
}

int loopscope_fstat_(int File, struct stat *Status) {
  return static_cast<int>(call(SYS_fstat, File, word(Status)));
}

int loopscope_stat_(const char *Path, struct stat *Status) {
  return static_cast<int>(
      call(SYS_newfstatat, AT_FDCWD, word(Path), word(Status), 0));
}

int loopscope_mkdir_(const char *Path, mode_t Mode) {
  return static_cast<int>(call(SYS_mkdirat, AT_FDCWD, word(Path), Mode));
}

int loopscope_unlink_(const char *Path) {
  return static_cast<int>(call(SYS_unlinkat, AT_FDCWD, word(Path), 0));
}

int loopscope_linkat_(int FromDirectory, const char *From, int ToDirectory,
                      const char *To, int Flags) {
  return static_cast<int>(call(SYS_linkat, FromDirectory, word(From),
                               ToDirectory, word(To), Flags));
}

ssize_t loopscope_readlink_(const char *Path, char *Buffer, size_t Size) {
  return call(SYS_readlinkat, AT_FDCWD, word(Path), word(Buffer), Size);
}

int loopscope_memfd_create_(const char *Name, unsigned Flags) {
  return static_cast<int>(call(SYS_memfd_create, word(Name), Flags));
}

int loopscope_isatty_(int File) {
  // The kernel's structure is smaller.
  struct termios Terminal = {};
  return call(SYS_ioctl, File, TCGETS, word(&Terminal)) == 0 ? 1 : 0;
}

char *loopscope_getcwd_(char *Buffer, size_t Size) {
  if (call(SYS_getcwd, word(Buffer), Size) < 0)
    return nullptr;
  // "(unreachable)...": outside the root
  return Buffer[0] == '/' ? Buffer : nullptr;
}

int loopscope_gethostname_(char *Name, size_t Size) {
  struct utsname System = {};
  if (call(SYS_uname, word(&System)) != 0)
    return -1;
  for (size_t I = 0; I < Size; ++I) {
    Name[I] = System.nodename[I];
    if (Name[I] == 0)
      return 0;
  }
  errno = ENAMETOOLONG;
  return -1;
}

void *loopscope_mmap_(void *Address, size_t Size, int Protection, int Flags,
                      int File, off_t At) {
  return mapping(systemCall(SYS_mmap, word(Address), static_cast<long>(Size),
                            Protection, Flags, File, At));
}

// The kernel reads NEW with MREMAP_FIXED only, and only then is it given.
void *loopscope_mremap_(void *Address, size_t Before, size_t Size, int Flags,
                        void *New) {
  return mapping(systemCall(SYS_mremap, word(Address),
                            static_cast<long>(Before), static_cast<long>(Size),
                            Flags, word(New)));
}

int loopscope_munmap_(void *Address, size_t Size) {
  return static_cast<int>(call(SYS_munmap, word(Address), Size));
}

int loopscope_madvise_(void *Address, size_t Size, int Advice) {
  return static_cast<int>(call(SYS_madvise, word(Address), Size, Advice));
}

pid_t loopscope_getpid_() { return static_cast<pid_t>(call(SYS_getpid)); }

pid_t loopscope_getppid_() { return static_cast<pid_t>(call(SYS_getppid)); }

int loopscope_getrlimit_(int Resource, struct rlimit *Limit) {
  return static_cast<int>(call(SYS_prlimit64, 0, Resource, 0, word(Limit)));
}

int loopscope_sched_yield_() { return static_cast<int>(call(SYS_sched_yield)); }

pid_t loopscope_waitpid_(pid_t Process, int *Status, int Options) {
  return static_cast<pid_t>(call(SYS_wait4, Process, word(Status), Options, 0));
}

int loopscope_prctl_(int Option, unsigned long A, unsigned long B,
                     unsigned long C, unsigned long D) {
  return static_cast<int>(call(SYS_prctl, Option, A, B, C, D));
}

long loopscope_syscall_(long Number, long A, long B, long C, long D, long E,
                        long F) {
  return answer(systemCall(Number, A, B, C, D, E, F));
}

int loopscope_sigemptyset_(sigset_t *Set) {
  *Set = {};
  return 0;
}

int loopscope_sigfillset_(sigset_t *Set) {
  *Set = {};
  bits(Set) = ~internalSignals();
  return 0;
}

int loopscope_sigaddset_(sigset_t *Set, int Number) {
  bits(Set) |= uint64_t(1) << (Number - 1);
  return 0;
}

int loopscope_sigismember_(const sigset_t *Set, int Number) {
  sigset_t Copy = *Set;
  return (bits(&Copy) >> (Number - 1) & 1) != 0 ? 1 : 0;
}

int loopscope_pthread_sigmask_(int How, const sigset_t *Set, sigset_t *Saved) {
  if (Saved != nullptr)
    *Saved = {};
  return static_cast<int>(
      -systemCall(SYS_rt_sigprocmask, How, word(Set), word(Saved), KernelSet));
}

int loopscope_sigpending_(sigset_t *Set) {
  return static_cast<int>(call(SYS_rt_sigpending, word(Set), KernelSet));
}

int loopscope_sigtimedwait_(const sigset_t *Set, siginfo_t *Info,
                            const struct timespec *Time) {
  return static_cast<int>(
      call(SYS_rt_sigtimedwait, word(Set), word(Info), word(Time), KernelSet));
}

int loopscope_raise_(int Number) {
  return static_cast<int>(
      call(SYS_tgkill, systemCall(SYS_getpid), systemCall(SYS_gettid), Number));
}

unsigned long loopscope_getauxval_(unsigned long Type) {
  return __getauxval != nullptr ? __getauxval(Type) : getauxval(Type);
}

// Returns the page size, the only value that the runtime asks for.
long loopscope_sysconf_(int /*Name*/) {
  return static_cast<long>(loopscope_getauxval_(AT_PAGESZ));
}

char *loopscope_secure_getenv_(const char *Name) {
  if (loopscope_getauxval_(AT_SECURE) != 0)
    return nullptr;
  for (char **Each = __environ; Each != nullptr && *Each != nullptr; ++Each) {
    const char *At = *Each;
    const char *Wanted = Name;
    while (*Wanted != 0 && *At == *Wanted) {
      ++At;
      ++Wanted;
    }
    if (*Wanted == 0 && *At == '=')
      return const_cast<char *>(At + 1);
  }
  return nullptr;
}

int loopscope_atexit_(void (*Function)()) {
  return __cxa_atexit(reinterpret_cast<void (*)(void *)>(Function), nullptr,
                      &__dso_handle);
}

int loopscope_pthread_atfork_(void (*Before)(), void (*InParent)(),
                              void (*InChild)()) {
  return isGlibc() ? __register_atfork(Before, InParent, InChild, &__dso_handle)
                   : pthread_atfork(Before, InParent, InChild);
}
} // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a path is shows when it is opened; names only decide where the temporary
// file for a rename goes. So the kernel's own rules about following links and
// writing apply, and nobody can swap a file for a device in between.

#include "Support/OutputFile.h"

#include "Support/Message.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <linux/magic.h>
#include <optional>
#include <poll.h>
#include <random>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>

using namespace loopscope;

namespace {
// As many as the kernel follows.
constexpr int MostLinks = 40;

class Descriptor {
public:
  explicit Descriptor(int Fd) : Fd(Fd) {}
  Descriptor(Descriptor &&Other) noexcept : Fd(Other.release()) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(Fd, Other.Fd);
    return *this;
  }
  ~Descriptor() {
    if (Fd >= 0)
      close(Fd);
  }
  explicit operator bool() const { return Fd >= 0; }
  int get() const { return Fd; }
  int release() { return std::exchange(Fd, -1); }

private:
  int Fd;
};

// While it lives, a pipe without a reader and a file that may not grow make
// write() fail instead of raising signals. Keeps errno.
class WithoutSignals {
public:
  WithoutSignals() {
    sigemptyset(&Held);
    sigaddset(&Held, SIGPIPE);
    sigaddset(&Held, SIGXFSZ);
    sigset_t Waiting;
    sigpending(&Waiting);
    for (int Number : {SIGPIPE, SIGXFSZ})
      if (sigismember(&Waiting, Number) == 1)
        sigdelset(&Held, Number); // it was meant for others
    pthread_sigmask(SIG_BLOCK, &Held, &Before);
  }
  WithoutSignals(const WithoutSignals &) = delete;
  WithoutSignals &operator=(const WithoutSignals &) = delete;
  ~WithoutSignals() {
    int Kept = errno;
    timespec Now{};
    while (sigtimedwait(&Held, nullptr, &Now) > 0 || errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
    errno = Kept;
  }

private:
  sigset_t Held{};
  sigset_t Before{};
};

Error failure(const std::string &Path, const std::string &Why) {
  return Error{Path == "-"
                   ? fmt::format("cannot write to standard output: {}", Why)
                   : fmt::format("cannot write '{}': {}", Path, Why)};
}

Error failure(const std::string &Path, int Code) {
  return failure(Path, std::string(std::strerror(Code)));
}

bool writeAll(int Fd, std::string_view Text) {
  WithoutSignals Quiet;
  while (!Text.empty()) {
    ssize_t Count = write(Fd, Text.data(), Text.size());
    if (Count >= 0) {
      Text.remove_prefix(static_cast<size_t>(Count));
      continue;
    }
    // Someone else may have made the other side of a pipe non-blocking.
    pollfd Full{Fd, POLLOUT, 0};
    if (errno == EAGAIN)
      poll(&Full, 1, -1);
    else if (errno != EINTR)
      return false;
  }
  return true;
}

Result<Written> writeStream(const Descriptor &To, const std::string &Path,
                            std::string_view Text) {
  if (writeAll(To.get(), Text) || errno == EPIPE)
    return Written::Stream;
  return failure(Path, errno);
}

std::string parentOf(const std::string &Path) {
  size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? "." : Path.substr(0, Slash + 1);
}

std::optional<std::string> realPath(const std::string &Path) {
  char *Found = realpath(Path.c_str(), nullptr);
  if (!Found)
    return std::nullopt;
  std::string Result = Found;
  std::free(Found);
  return Result;
}

// What the symbolic links at the end of a path lead to.
struct Ending {
  std::string Path; ///< no link
  /// Path is an entry of /proc/PID/fd: a descriptor rather than a file.
  bool IsDescriptor = false;
  int Own = -1; ///< the number of that descriptor if it is one of ours
};

// Whether DIRECTORY lists a process's descriptors.
bool listsDescriptors(const std::string &Directory) {
  struct statfs Facts{};
  return Directory.ends_with("/fd") && statfs(Directory.c_str(), &Facts) == 0 &&
         Facts.f_type == PROC_SUPER_MAGIC;
}

int numberOf(const std::string &Name) {
  int Number = -1;
  const char *Past = Name.data() + Name.size();
  return std::from_chars(Name.data(), Past, Number).ptr == Past ? Number : -1;
}

// Resolves links by name. Nothing if there are too many.
std::optional<Ending> resolveLinks(std::string Path) {
  for (int Links = 0; Links < MostLinks; ++Links) {
    std::optional<std::string> Directory = realPath(parentOf(Path));
    std::string Name(fileName(Path));
    if (Directory && listsDescriptors(*Directory)) {
      bool IsOwn = Directory == realPath("/proc/self/fd");
      return Ending{Path, true, IsOwn ? numberOf(Name) : -1};
    }
    char Target[PATH_MAX];
    ssize_t Size = readlink(Path.c_str(), Target, sizeof(Target));
    if (Size < 0)
      return Ending{Path};
    std::string To(Target, static_cast<size_t>(Size));
    Path = To.starts_with('/') ? To : fmt::format("{}/{}", parentOf(Path), To);
  }
  return std::nullopt;
}

// Opens PATH for writing, whatever it is. Waits for a FIFO's reader.
Descriptor openThere(const std::string &Path, int Flags) {
  constexpr timespec Pause{0, 20'000'000};
  constexpr int Patience = 100; // pauses
  int Usual = O_WRONLY | O_NOCTTY | O_CLOEXEC | Flags;
  for (int I = 0; I < Patience; ++I) {
    Descriptor Opened(open(Path.c_str(), Usual | O_NONBLOCK));
    struct stat Facts{};
    if (Opened) {
      fcntl(Opened.get(), F_SETFL, Flags);
      return Opened;
    }
    int Why = errno;
    bool Waits = Why == ENXIO && stat(Path.c_str(), &Facts) == 0 &&
                 S_ISFIFO(Facts.st_mode);
    errno = Why;
    if (!Waits)
      return Opened;
    nanosleep(&Pause, nullptr);
  }
  printMessage(
      "note",
      fmt::format("'{}' is a FIFO without a reader; waiting for one", Path));
  int Fd = -1;
  do
    Fd = open(Path.c_str(), Usual);
  while (Fd < 0 && errno == EINTR);
  return Descriptor(Fd);
}

// A file that gets a name once it is complete, and vanishes otherwise.
class Temporary {
public:
  // MODE is the file's, before the umask.
  Temporary(const std::string &Directory, mode_t Mode) {
    constexpr int Tries = 100;
    std::random_device Random;
    int Fd = -1;
    for (int I = 0; I < Tries; ++I) {
      Path = fmt::format("{}/.loopscope-{:08x}", Directory, Random());
      Fd = open(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, Mode);
      if (Fd >= 0 || errno != EEXIST)
        break;
    }
    File = Descriptor(Fd);
    Named = static_cast<bool>(File);
  }
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;
  ~Temporary() {
    if (Named)
      unlink(Path.c_str());
  }

  explicit operator bool() const { return static_cast<bool>(File); }

  bool write(std::string_view Text) { return writeAll(File.get(), Text); }

  // Takes on the owner, if we may give files away, and the mode of OTHER, but
  // no setuid or setgid bits.
  bool become(const struct stat &Other) {
    struct stat Mine{};
    if (fstat(File.get(), &Mine) != 0)
      return false;
    bool SameOwner =
        (Mine.st_uid == Other.st_uid && Mine.st_gid == Other.st_gid) ||
        fchown(File.get(), Other.st_uid, Other.st_gid) == 0 ||
        fchown(File.get(), static_cast<uid_t>(-1), Other.st_gid) == 0;
    // Members of another group get only what everybody has.
    mode_t Mode = Other.st_mode & 0777;
    if (!SameOwner)
      Mode &= ~static_cast<mode_t>(070) | (Mode & 07) << 3;
    return fchmod(File.get(), Mode) == 0;
  }

  bool rename(const std::string &To) {
    if (close(File.release()) != 0 || ::rename(Path.c_str(), To.c_str()) != 0)
      return false;
    Named = false;
    return true;
  }

private:
  std::string Path;
  Descriptor File{-1};
  bool Named = false;
};

Result<Written> makeFile(const std::string &Path, const std::string &Name,
                         std::string_view Text) {
  Temporary New(parentOf(Path), 0666);
  if (New && New.write(Text) && New.rename(Path))
    return Written::File;
  return failure(Name, errno);
}

bool holds(const std::string &Path, const struct stat &Facts,
           std::string_view Text) {
  if (static_cast<size_t>(Facts.st_size) != Text.size())
    return false;
  Descriptor File(open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char Block[1 << 14];
  while (File && !Text.empty()) {
    ssize_t Count = read(File.get(), Block, sizeof(Block));
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0 || !Text.starts_with({Block, static_cast<size_t>(Count)}))
      return false;
    Text.remove_prefix(static_cast<size_t>(Count));
  }
  return static_cast<bool>(File);
}

// Replaces the open regular file with these FACTS at PATH.
Result<Written> replaceFile(const std::string &Path, const struct stat &Facts,
                            std::string_view Text, Existing There) {
  std::optional<std::string> Real = realPath(Path);
  struct stat Now{};
  if (!Real || lstat(Real->c_str(), &Now) != 0 || Now.st_dev != Facts.st_dev ||
      Now.st_ino != Facts.st_ino)
    return failure(Path, "it changed meanwhile");
  if (There == Existing::KeepEqual && holds(*Real, Facts, Text))
    return Written::File;
  Temporary New(parentOf(*Real), 0600);
  if (New && New.write(Text) && New.become(Facts) && New.rename(*Real))
    return Written::File;
  return failure(Path, errno);
}

Result<Written> makeNew(const std::string &Path, std::string_view Text) {
  Descriptor File(open(Path.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                       0666));
  if (!File)
    return failure(Path, errno);
  if (writeAll(File.get(), Text) && close(File.release()) == 0)
    return Written::File;
  int Why = errno;
  unlink(Path.c_str());
  return failure(Path, Why);
}
} // namespace

bool loopscope::isStandardOutput(const std::string &Path) {
  if (Path == "-")
    return true;
  std::optional<Ending> End = resolveLinks(Path);
  return End && End->Own == STDOUT_FILENO;
}

bool loopscope::isSameFile(const std::string &A, const std::string &B) {
  struct stat First{}, Second{};
  return stat(A.c_str(), &First) == 0 && stat(B.c_str(), &Second) == 0 &&
         S_ISREG(First.st_mode) && First.st_dev == Second.st_dev &&
         First.st_ino == Second.st_ino;
}

Result<Written> loopscope::writeOutputFile(const std::string &Path,
                                           std::string_view Text,
                                           Existing There) {
  if (There == Existing::Refuse)
    return makeNew(Path, Text);
  std::optional<Ending> End =
      Path == "-" ? Ending{"-", true, STDOUT_FILENO} : resolveLinks(Path);
  if (!End)
    return failure(Path, ELOOP);
  if (End->Own >= 0) {
    Descriptor Copy(fcntl(End->Own, F_DUPFD_CLOEXEC, 0));
    return Copy ? writeStream(Copy, Path, Text) : failure(Path, errno);
  }
  Descriptor Old = openThere(Path, End->IsDescriptor ? O_APPEND : 0);
  // If links lead to something that doesn't exist, it is created there.
  if (!Old && errno == ENOENT && !End->IsDescriptor)
    return makeFile(End->Path, Path, Text);
  if (!Old)
    return failure(Path, errno == EISDIR
                             ? "it is a directory; name a file in it"
                             : std::strerror(errno));
  struct stat Facts{};
  if (fstat(Old.get(), &Facts) != 0)
    return failure(Path, errno);
  if (S_ISREG(Facts.st_mode) && !End->IsDescriptor)
    return replaceFile(Path, Facts, Text, There);
  Result<Written> Done = writeStream(Old, Path, Text);
  if (Done && close(Old.release()) != 0)
    return failure(Path, errno);
  return Done;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens input files; errors say what the user can do.

#include "Run/Read/MappedFile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace loopscope;

Result<OpenFile> OpenFile::open(const std::string &Path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  OpenFile File(Path == "-"
                    ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                    : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK),
                0, {});
  struct stat Status{};
  if (File.Fd < 0 || fstat(File.Fd, &Status) != 0)
    return Error{fmt::format("{}: cannot open: {}", Path, strerror(errno))};
  if (S_ISDIR(Status.st_mode))
    return Error{
        fmt::format("{}: is a directory; name the profiles in it, for example "
                    "{}/*.loopscope",
                    Path, Path)};
  if (!S_ISREG(Status.st_mode))
    return Error{
        fmt::format("{}: is not a regular file; profiles must be regular "
                    "files, but a trace can come from a pipe, as -",
                    Path)};
  if (Status.st_size == 0)
    return Error{fmt::format("{}: is empty; the run recorded nothing, or "
                             "somebody truncated the file while it ran",
                             Path)};
  File.Size = static_cast<size_t>(Status.st_size);
  File.Identity = {Status.st_dev, Status.st_ino};
  return File;
}

OpenFile::OpenFile(OpenFile &&Other) noexcept
    : Fd(std::exchange(Other.Fd, -1)), Size(Other.Size),
      Identity(std::exchange(Other.Identity, {})) {}

OpenFile &OpenFile::operator=(OpenFile &&Other) noexcept {
  std::swap(Fd, Other.Fd);
  std::swap(Size, Other.Size);
  std::swap(Identity, Other.Identity);
  return *this;
}

OpenFile::~OpenFile() {
  if (Fd >= 0)
    close(Fd);
}

bool OpenFile::read(uint64_t Offset, std::span<std::byte> Into) const {
  while (!Into.empty()) {
    ssize_t Got =
        pread(Fd, Into.data(), Into.size(), static_cast<off_t>(Offset));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return false;
    Into = Into.subspan(static_cast<size_t>(Got));
    Offset += static_cast<uint64_t>(Got);
  }
  return true;
}

Result<MappedFile> MappedFile::open(const std::string &Path) {
  Result<OpenFile> File = OpenFile::open(Path);
  if (!File)
    return File.error();
  size_t Size = File->size();
  void *Data =
      mmap(nullptr, Size, PROT_READ, MAP_SHARED, File->descriptor(), 0);
  if (Data == MAP_FAILED)
    return Error{fmt::format("{}: cannot map: {}", Path, strerror(errno))};
  return MappedFile(static_cast<const std::byte *>(Data), Size,
                    File->identity());
}

MappedFile::MappedFile(MappedFile &&Other) noexcept
    : Data(std::exchange(Other.Data, nullptr)),
      Size(std::exchange(Other.Size, 0)),
      Identity(std::exchange(Other.Identity, {})) {}

MappedFile &MappedFile::operator=(MappedFile &&Other) noexcept {
  std::swap(Data, Other.Data);
  std::swap(Size, Other.Size);
  std::swap(Identity, Other.Identity);
  return *this;
}

MappedFile::~MappedFile() {
  if (Data)
    munmap(const_cast<std::byte *>(Data), Size);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps input files; errors say what the user can do.

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

namespace {
// Closes a file descriptor at the end of its scope.
struct Descriptor {
  int Fd;
  ~Descriptor() {
    if (Fd >= 0)
      close(Fd);
  }
};
} // namespace

Result<MappedFile> MappedFile::open(const std::string &Path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  Descriptor File{
      Path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                  : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
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
  auto Size = static_cast<size_t>(Status.st_size);
  void *Data = mmap(nullptr, Size, PROT_READ, MAP_SHARED, File.Fd, 0);
  if (Data == MAP_FAILED)
    return Error{fmt::format("{}: cannot map: {}", Path, strerror(errno))};
  return MappedFile(static_cast<const std::byte *>(Data), Size);
}

MappedFile::MappedFile(MappedFile &&Other) noexcept
    : Data(std::exchange(Other.Data, nullptr)),
      Size(std::exchange(Other.Size, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&Other) noexcept {
  std::swap(Data, Other.Data);
  std::swap(Size, Other.Size);
  return *this;
}

MappedFile::~MappedFile() {
  if (Data)
    munmap(const_cast<std::byte *>(Data), Size);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file's bytes: mapped read-only, or read piece by piece.

#ifndef LOOPSCOPE_RUN_READ_MAPPEDFILE_H
#define LOOPSCOPE_RUN_READ_MAPPEDFILE_H

#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>
#include <utility>

namespace loopscope {

/// Identifies a file: its device and its number there.
using FileIdentity = std::pair<dev_t, ino_t>;

/// Owns the descriptor of a regular file. What is read counts for no memory of
/// the process, and a file that has become shorter is no signal.
class OpenFile {
public:
  /// Opens \p Path; "-" is the file that standard input was redirected from.
  /// Directories, empty files and anything else that isn't a regular file give
  /// errors that name \p Path.
  static Result<OpenFile> open(const std::string &Path);

  OpenFile(OpenFile &&Other) noexcept;
  OpenFile &operator=(OpenFile &&Other) noexcept;
  ~OpenFile();

  /// Copies the bytes from \p Offset on to \p Into; false if there are fewer.
  /// Any number of threads may read at once.
  bool read(uint64_t Offset, std::span<std::byte> Into) const;

  int descriptor() const { return Fd; }
  size_t size() const { return Size; } ///< when it was opened
  FileIdentity identity() const { return Identity; }

private:
  OpenFile(int Fd, size_t Size, FileIdentity Identity)
      : Fd(Fd), Size(Size), Identity(Identity) {}
  int Fd = -1;
  size_t Size = 0;
  FileIdentity Identity;
};

/// Owns the mapping of a regular file, at the length it had when opened. A
/// writer may go on changing the bytes.
class MappedFile {
public:
  /// Maps \p Path, as OpenFile::open opens it.
  static Result<MappedFile> open(const std::string &Path);

  MappedFile(MappedFile &&Other) noexcept;
  MappedFile &operator=(MappedFile &&Other) noexcept;
  ~MappedFile();

  /// Valid as long as this object lives.
  std::span<const std::byte> bytes() const { return {Data, Size}; }

  FileIdentity identity() const { return Identity; }

private:
  MappedFile(const std::byte *Data, size_t Size, FileIdentity Identity)
      : Data(Data), Size(Size), Identity(Identity) {}
  const std::byte *Data = nullptr;
  size_t Size = 0;
  FileIdentity Identity;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_MAPPEDFILE_H

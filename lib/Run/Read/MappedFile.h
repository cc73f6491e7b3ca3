// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file's bytes, mapped read-only.

#ifndef LOOPSCOPE_RUN_READ_MAPPEDFILE_H
#define LOOPSCOPE_RUN_READ_MAPPEDFILE_H

#include "Support/Result.h"

#include <cstddef>
#include <span>
#include <string>

namespace loopscope {

/// Owns the mapping of a regular file, at the length it had when opened. A
/// writer may go on changing the bytes.
class MappedFile {
public:
  /// Maps \p Path; "-" is the file that standard input was redirected from.
  /// Directories, empty files and anything else that can't be mapped give
  /// errors that name \p Path.
  static Result<MappedFile> open(const std::string &Path);

  MappedFile(MappedFile &&Other) noexcept;
  MappedFile &operator=(MappedFile &&Other) noexcept;
  ~MappedFile();

  /// Valid as long as this object lives.
  std::span<const std::byte> bytes() const { return {Data, Size}; }

private:
  MappedFile(const std::byte *Data, size_t Size) : Data(Data), Size(Size) {}
  const std::byte *Data = nullptr;
  size_t Size = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_MAPPEDFILE_H

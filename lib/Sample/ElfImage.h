// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object file's code and its tables of frames, as they are in a process that
// has loaded it: the runtime's unwinder reads them here.

#ifndef LOOPSCOPE_SAMPLE_ELFIMAGE_H
#define LOOPSCOPE_SAMPLE_ELFIMAGE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// The parts of a file that aren't written to. Addresses are the file's.
class ElfImage {
public:
  /// Null if \p Path isn't a 64-bit file that can be read. Trusts no number in
  /// it.
  static std::unique_ptr<ElfImage> read(const std::string &Path);
  /// The code that the kernel puts into every process (vdso); null if there is
  /// none.
  static std::unique_ptr<ElfImage> ofKernel();

  /// The address of the byte at \p FileOffset, which is in code; nothing if
  /// there is no code.
  std::optional<uint64_t> addressOf(uint64_t FileOffset) const;

  /// \p Count bytes at \p Address; null if they aren't there.
  const char *bytes(uint64_t Address, uint64_t Count) const;

  /// The sorted table of frames (.eh_frame_hdr), in this process's memory;
  /// null if there is none.
  const char *frameTable() const { return Table; }

  /// Hexadecimal; empty if it has none.
  const std::string &buildId() const { return BuildId; }

private:
  struct Part {
    uint64_t Address, Bytes, FileOffset;
  };

  // Memory for addresses from First on; the rest is for a table.
  uint64_t First = 0;
  std::vector<char> Copied;
  const char *Memory = nullptr;
  uint64_t MemoryBytes = 0;
  const char *Table = nullptr;
  std::vector<Part> Code;
  std::string BuildId;

  friend class ImageReader;
};

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_ELFIMAGE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an ELF file tells without debug information: its build id and the
// functions in its symbol table.

#ifndef LOOPSCOPE_SYMBOLS_ELFFILE_H
#define LOOPSCOPE_SYMBOLS_ELFFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A file's content, read once. 64-bit files of this machine's byte order.
class ElfFile {
public:
  /// Nothing if \p Path isn't such a file. Trusts no number in it.
  static std::optional<ElfFile> read(const std::string &Path);

  /// In hexadecimal; empty if it has none.
  const std::string &buildId() const { return BuildId; }

  /// The texts in the section that CompiledSource.h describes.
  const std::vector<std::string> &sources() const { return Sources; }

  /// The symbol of the function that contains \p Address, an address of the
  /// file; empty if there is none.
  std::string functionAt(uint64_t Address) const;

  /// Where the function that contains \p Address begins, by the table of frames
  /// that even a stripped file has; 0 if it isn't there.
  uint64_t frameStart(uint64_t Address) const;

private:
  struct Function {
    uint64_t Start;
    uint64_t Size;
    std::string Name;
  };
  friend class ElfReader;

  std::string BuildId;
  std::vector<std::string> Sources;
  std::vector<Function> Functions;   ///< by start
  std::vector<uint64_t> FrameStarts; ///< sorted
};

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_ELFFILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an ELF file says without debug information: its build id and the
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
  /// Nothing where PATH is no such file. Trusts no number in it.
  static std::optional<ElfFile> read(const std::string &Path);

  /// In hexadecimal digits; empty where it has none.
  const std::string &buildId() const { return BuildId; }

  /// The symbol of the function that ADDRESS, as the file counts, lies in;
  /// empty where none does.
  std::string functionAt(uint64_t Address) const;

private:
  struct Function {
    uint64_t Start;
    uint64_t Size;
    std::string Name;
  };
  friend class ElfReader;

  std::string BuildId;
  std::vector<Function> Functions; ///< by start
};

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_ELFFILE_H

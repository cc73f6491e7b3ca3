// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions and source lines lie at an address of an object file.
//
//   build id     the file must be the one that ran
//   DWARF        functions, inlined functions, lines (Dwarf.h), where libdw is
//   symbol table functions alone (ElfFile.h)

#ifndef LOOPSCOPE_SYMBOLS_SYMBOLS_H
#define LOOPSCOPE_SYMBOLS_SYMBOLS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace loopscope {

/// A function at an address.
struct SourceFrame {
  std::string Function; ///< without parameters; empty: not known
  /// Where the function is defined; empty and 0: not known.
  std::string File;
  uint32_t FirstLine = 0;
  /// The line at the address or, in a function that others are inlined into,
  /// the line of the call. In LineFile, because macros and fragments may come
  /// from elsewhere.
  std::string LineFile;
  uint32_t Line = 0;
  bool IsVirtual = false; ///< a member function that others may override
  /// Where the function begins, if only its frame table is known; else 0.
  uint64_t Start = 0;
};

/// Whether an object's file is still available.
enum class ObjectState {
  Same,    ///< the one that ran
  Changed, ///< it has another build id by now: nothing of it is used
  Missing  ///< it can't be read: gone, or no file (the kernel's vdso)
};

/// Object files, each opened when it is first needed.
class Symbols {
public:
  Symbols();
  ~Symbols();
  Symbols(Symbols &&) noexcept;
  Symbols &operator=(Symbols &&) noexcept;

  /// The functions at \p Address, an address of the file \p Path, innermost
  /// inlined one first; at least one, without a name if nothing is known. \p
  /// BuildId of the file that ran, in hexadecimal; empty if it had none.
  std::vector<SourceFrame> framesAt(const std::string &Path,
                                    const std::string &BuildId,
                                    uint64_t Address);

  ObjectState stateOf(const std::string &Path, const std::string &BuildId);

private:
  struct Object;
  Object &objectOf(const std::string &Path, const std::string &BuildId);
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Object>>
      Objects;
};

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_SYMBOLS_H

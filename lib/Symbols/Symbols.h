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
  /// The line at the address; of a function that others are inlined into, that
  /// of the call. Of LineFile, as macros and fragments may come from elsewhere.
  std::string LineFile;
  uint32_t Line = 0;
};

/// What there is of an object's file.
enum class ObjectState {
  Same,    ///< the one that ran
  Changed, ///< it has another build id by now: nothing of it is used
  Missing  ///< it can't be read: gone, or no file (the kernel's vdso)
};

/// Object files, each opened at the first question about it.
class Symbols {
public:
  Symbols();
  ~Symbols();
  Symbols(Symbols &&) noexcept;
  Symbols &operator=(Symbols &&) noexcept;

  /// The functions at ADDRESS, as the file PATH counts, the innermost inlined
  /// one first; one at least, without a name where nothing is known. BUILD_ID
  /// in hexadecimal digits, of the file that ran; empty: it had none.
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

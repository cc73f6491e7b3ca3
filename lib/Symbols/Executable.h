// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program is started, as far as it decides whether a library can be
// loaded before it.

#ifndef LOOPSCOPE_SYMBOLS_EXECUTABLE_H
#define LOOPSCOPE_SYMBOLS_EXECUTABLE_H

#include <optional>
#include <string>

namespace loopscope {

/// A program's file.
struct Executable {
  bool IsOfThisMachine = true; ///< its processor and word size
  std::string Loader;          ///< dynamic loader; empty: it is static
  std::string Interpreter;     ///< of a script (#!); empty: it is none
  bool HasRuntime = false;     ///< Loopscope's was linked into it
  /// It has debug information, or says where that is.
  bool HasDebugInfo = false;
  /// It needs AddressSanitizer's library, which refuses to be loaded after
  /// another one.
  bool HasAddressSanitizer = false;
};

/// Nothing if \p Path isn't a program that the kernel starts. Trusts no number
/// in the file.
std::optional<Executable> readExecutable(const std::string &Path);

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_EXECUTABLE_H

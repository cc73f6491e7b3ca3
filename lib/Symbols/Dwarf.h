// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DWARF through elfutils' libdw, which is loaded at run time if it is
// installed; building needs nothing of it.

#ifndef LOOPSCOPE_SYMBOLS_DWARF_H
#define LOOPSCOPE_SYMBOLS_DWARF_H

#include "Symbols/Symbols.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace loopscope {

/// A file's debug information: its own, or that of a separate file named by its
/// build id or debug link.
class Dwarf {
public:
  /// Null without libdw, or if it can't read the file.
  static std::unique_ptr<Dwarf> open(const std::string &Path);

  virtual ~Dwarf() = default;
  Dwarf() = default;
  Dwarf(const Dwarf &) = delete;
  Dwarf &operator=(const Dwarf &) = delete;

  /// The functions at \p Address, innermost inlined one first; empty if the
  /// file has no debug information about it. Inlined intrinsics such as
  /// _mm_add_ps count as their caller's code.
  virtual std::vector<SourceFrame> framesAt(uint64_t Address) = 0;
  /// The symbol of the function at \p Address; empty if there is none.
  virtual std::string symbolAt(uint64_t Address) = 0;
};

/// Whether libdw can be loaded.
bool hasDwarf();

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_DWARF_H

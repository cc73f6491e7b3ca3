// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DWARF by elfutils' libdw, which is loaded when the tool runs, where it is
// installed: nothing of it is needed to build.

#ifndef LOOPSCOPE_SYMBOLS_DWARF_H
#define LOOPSCOPE_SYMBOLS_DWARF_H

#include "Symbols/Symbols.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace loopscope {

/// One file's debug information, its own or that of a separate file that its
/// build id or its debug link names.
class Dwarf {
public:
  /// Null without libdw, or where it can't read the file.
  static std::unique_ptr<Dwarf> open(const std::string &Path);

  virtual ~Dwarf() = default;
  Dwarf() = default;
  Dwarf(const Dwarf &) = delete;
  Dwarf &operator=(const Dwarf &) = delete;

  /// The functions at ADDRESS, the innermost inlined one first; empty where
  /// the file has no debug information about it.
  virtual std::vector<SourceFrame> framesAt(uint64_t Address) = 0;
  /// The symbol of the function at ADDRESS; empty where there is none.
  virtual std::string symbolAt(uint64_t Address) = 0;
};

/// Whether libdw can be loaded.
bool hasDwarf();

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_DWARF_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's loaded objects and their symbols, read without calling libc
// functions, because a program may define any of them.

#ifndef LOOPSCOPE_BASE_LOADED_H
#define LOOPSCOPE_BASE_LOADED_H

#include <link.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The loader's list of objects, the program first; null in a static program.
const link_map *loaderList();

/// A function's code; both are 0 if there is none.
struct FunctionRange {
  uintptr_t Begin, Size;
};

/// An object's symbols, by its GNU hash table.
class Symbols {
public:
  explicit Symbols(const link_map &Object);

  /// The address of the function NAME in its default version, or null.
  void *find(const char *Name) const;
  /// The same with its size, without those that are defined weakly.
  FunctionRange findStrong(const char *Name) const;

  /// Whether the object imports NAME from another one.
  bool imports(const char *Name) const;

private:
  bool isFunction(uint32_t At, const char *Name) const;
  const ElfW(Sym) * lookUp(const char *Name) const;

  ElfW(Addr) Base;
  const uint32_t *Hash = nullptr;
  const ElfW(Sym) *Table = nullptr;
  const char *Strings = nullptr;
  const ElfW(Half) *Versions = nullptr;
};

/// Whether OBJECT is the C library or part of it.
bool isLibc(const link_map &Object);

/// The function NAME of the first loaded object that doesn't define it weakly.
FunctionRange findLoaded(const char *Name);

/// A number that grows with each object that the process loads, never 0.
uint64_t loadedObjects();

/// Whether the program or one of its libraries refers to libc's function NAME.
bool isImported(const char *Name);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_LOADED_H

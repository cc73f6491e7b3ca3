// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of C++ functions for people.

#ifndef LOOPSCOPE_SYMBOLS_DEMANGLE_H
#define LOOPSCOPE_SYMBOLS_DEMANGLE_H

#include <string>

namespace loopscope {

/// SYMBOL as the source calls it, with its parameters; unchanged where it isn't
/// a mangled name.
std::string demangled(const std::string &Symbol);

/// NAME, a demangled function, without its parameters, what follows them, and
/// the type that it returns: "void ns::f<int>(int) const" is "ns::f<int>".
std::string withoutTypes(const std::string &Name);

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_DEMANGLE_H

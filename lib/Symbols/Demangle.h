// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readable names of C++ functions.

#ifndef LOOPSCOPE_SYMBOLS_DEMANGLE_H
#define LOOPSCOPE_SYMBOLS_DEMANGLE_H

#include <string>

namespace loopscope {

/// \p Symbol as the source calls it, with parameters; unchanged if it isn't a
/// mangled name.
std::string demangled(const std::string &Symbol);

/// \p Name, a demangled function, without its parameters, anything after them,
/// and its return type: "void ns::f<int>(int) const" becomes "ns::f<int>".
std::string withoutTypes(const std::string &Name);

/// \p Name, as withoutTypes() returns it, without template arguments:
/// "ns::C<int>::f<2>" becomes "ns::C::f".
std::string withoutArguments(const std::string &Name);

/// The last part of \p Name without template arguments: "f" of
/// "ns::C<int>::f<2>".
std::string plainName(const std::string &Name);

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_DEMANGLE_H

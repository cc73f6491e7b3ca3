// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demangles with the C++ library.

#include "Symbols/Demangle.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

using namespace loopscope;

std::string loopscope::demangled(const std::string &Symbol) {
  if (!Symbol.starts_with("_Z"))
    return Symbol;
  int Status = 0;
  std::unique_ptr<char, void (*)(void *)> Name(
      abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status),
      std::free);
  return Status == 0 && Name ? Name.get() : Symbol;
}

namespace {
// Where the parameters begin, or the end.
size_t endOfName(const std::string &Name) {
  // A clone's mark follows the parameters: "f(int) [clone .cold]".
  size_t End = Name.rfind(')', Name.find(" [clone "));
  if (End != std::string::npos && Name.compare(End + 1, 2, "::") == 0)
    return Name.size();
  int Depth = 0;
  for (size_t I = End == std::string::npos ? 0 : End; I != 0;) {
    --I;
    if (Name[I] == ')')
      ++Depth;
    if (Name[I] != '(')
      continue;
    if (Depth != 0) {
      --Depth;
      continue;
    }
    // "operator()" keeps its parentheses, and so does "(anonymous namespace)".
    bool IsPart = I == 0 || Name.compare(0, I, "operator") == 0 ||
                  std::string_view(Name).substr(0, I).ends_with("::operator");
    return IsPart ? Name.size() : I;
  }
  return Name.size();
}

// Where the name begins, after the return type.
size_t startOfName(std::string_view Name) {
  // Operators may have parentheses and blanks in their names.
  Name = Name.substr(0, Name.find("operator"));
  size_t Start = 0;
  int Depth = 0;
  for (size_t I = 0; I < Name.size(); ++I)
    switch (Name[I]) {
    case '<':
    case '(':
    case '[':
    case '{':
      ++Depth;
      break;
    case '>':
    case ')':
    case ']':
    case '}':
      --Depth;
      break;
    case ' ':
      if (Depth == 0)
        Start = I + 1;
      break;
    default:
      break;
    }
  return Start;
}
} // namespace

std::string loopscope::withoutTypes(const std::string &Name) {
  std::string Short = Name.substr(0, endOfName(Name));
  return Short.substr(startOfName(Short));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demangles with the C++ library.

#include "Symbols/Demangle.h"

#include <algorithm>
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

// Where the operator ends that begins at AT in NAME, without its template
// arguments: some have angle brackets of their own.
size_t endOfOperator(const std::string &Name, size_t At) {
  constexpr std::string_view Word = "operator";
  std::string_view Rest = std::string_view(Name).substr(At);
  if (!Rest.starts_with(Word))
    return Name.size();
  Rest.remove_prefix(Word.size());
  for (std::string_view Each : {"<=>", "<<=", "<<", "<=", "<", "->*", "->"})
    if (Rest.starts_with(Each))
      return At + Word.size() + Each.size();
  size_t End = std::min(Rest.find('<'), Rest.size());
  return At + Word.size() + End;
}
} // namespace

std::string loopscope::withoutTypes(const std::string &Name) {
  std::string Short = Name.substr(0, endOfName(Name));
  return Short.substr(startOfName(Short));
}

std::string loopscope::withoutArguments(const std::string &Name) {
  size_t Operator = std::min(Name.find("operator"), Name.size());
  std::string Result;
  int Depth = 0;
  bool IsName = false; // as "<lambda(int)>" is
  for (char C : Name.substr(0, Operator)) {
    if (C == '<' && Depth++ == 0)
      IsName = Result.empty() || Result.ends_with(':');
    if (Depth == 0 || IsName)
      Result += C;
    Depth -= C == '>' && Depth > 0 ? 1 : 0;
  }
  return Result +
         Name.substr(Operator, endOfOperator(Name, Operator) - Operator);
}

std::string loopscope::plainName(const std::string &Name) {
  std::string Short = withoutArguments(Name);
  size_t Operator = std::min(Short.find("operator"), Short.size());
  size_t Colons = Short.rfind("::", Operator);
  return Colons == std::string::npos ? Short : Short.substr(Colons + 2);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demangles with the C++ library.

#include "Support/TypeNames.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

using namespace loopscope;

std::string loopscope::demangledType(const std::string &Name) {
  // A type alone has no prefix, and a function's name would be taken for one.
  int Status = 0;
  std::unique_ptr<char, void (*)(void *)> Readable(
      abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status), std::free);
  bool IsType = Status == 0 && Readable && !Name.starts_with("_Z");
  return IsType ? Readable.get() : Name;
}

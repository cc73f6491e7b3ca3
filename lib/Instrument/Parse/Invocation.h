// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A real compiler's command line for Clang.
//
//   gcc -fipa-pta -O2 -Werror -MD -c a.c -o a.o
//     -> clang --target=... -std=gnu17 -O2 <gcc's header directories> -x c a.c
//
// Keeps what changes the meaning of the source, drops what doesn't, as
// lib/Launch's option table says, and asks the real compiler for the rest. A
// flag that isn't known can't stop the parse: it is left out and named. No
// Clang headers.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_INVOCATION_H
#define LOOPSCOPE_INSTRUMENT_PARSE_INVOCATION_H

#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

/// One source of a real command, and how Clang parses it.
struct Invocation {
  std::string File;                 ///< As given.
  std::vector<std::string> Command; ///< argv[0] first, names File.
  /// Whether the compiler's preprocessor is GCC's. Then
  /// - every path of Command that starts with a dot has one "./" more: for
  ///   `#include "a.h"` in main.cpp, GCC's __FILE__ says a.h and Clang's ./a.h,
  ///   so a name is GCC's once a "./" in front of it is taken away;
  /// - copies of a file with `#pragma once` are one file; see Copies.h.
  bool IsGcc = false;
  /// Directories of the real compiler's own headers. Headers in them that Clang
  /// has too are hidden from Clang; see CompilerHeaders.h.
  std::vector<std::string> OwnDirectories;
  /// Options that the parse leaves out, although they may change what the
  /// source means: see launch::Unknown.
  std::vector<std::string> Unknown;
};

/// The resource directory of the Clang that this library was built with, or the
/// copy beside an installed tool if there is one.
std::string defaultResources();

/// Translates \p Command, which runs in \p Directory: launchers, a gcc, clang
/// or nvcc and its arguments. \p Resources is our Clang's resource directory.
/// Runs the real compiler to query it. One invocation for each C, C++ or CUDA
/// source.
Result<std::vector<Invocation>>
translateCommand(const std::vector<std::string> &Command,
                 const std::string &Directory, const std::string &Resources);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_INVOCATION_H

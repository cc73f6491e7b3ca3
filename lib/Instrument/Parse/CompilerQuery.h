// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks a real compiler about its system.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_COMPILERQUERY_H
#define LOOPSCOPE_INSTRUMENT_PARSE_COMPILERQUERY_H

#include "Support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace loopscope::instrument {

/// Answers of gcc or clang.
struct CompilerFacts {
  std::string Target; ///< "x86_64-linux-gnu".
  /// The directories that `#include <...>` searches, in order, without those
  /// of the compiler's own headers, whose place is OwnPlace.
  std::vector<std::string> SystemDirectories;
  std::size_t OwnPlace = 0;
  std::vector<std::string> OwnDirectories; ///< Of stddef.h, omp.h, ...
  std::string Standard; ///< The default dialect, e.g. "gnu++17".
};

/// Answers of nvcc.
struct CudaFacts {
  std::string Root; ///< For --cuda-path.
  std::vector<std::string> Directories;
  std::string MajorVersion; ///< "13".
  std::string MinorVersion;
};

/// Parses the output of `-E -v -dM`: \p Macros from standard output, \p Log
/// from standard error.
CompilerFacts parseCompilerFacts(std::string_view Macros, std::string_view Log,
                                 bool CPlusPlus);

/// Parses the output of `nvcc --dryrun`.
CudaFacts parseCudaFacts(std::string_view Log);

/// Asks \p Compiler about \p Language ("c" or "c++") with \p Flags, in \p
/// Directory.
Result<CompilerFacts> queryCompiler(const std::string &Compiler,
                                    const std::vector<std::string> &Flags,
                                    const std::string &Language,
                                    const std::string &Directory);

/// Asks the nvcc at COMPILER.
Result<CudaFacts> queryCuda(const std::string &Compiler,
                            const std::string &Directory);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_COMPILERQUERY_H

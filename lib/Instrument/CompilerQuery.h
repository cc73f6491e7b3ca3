// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a real compiler knows about its system.

#ifndef LOOPSCOPE_INSTRUMENT_COMPILERQUERY_H
#define LOOPSCOPE_INSTRUMENT_COMPILERQUERY_H

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

/// Reads what `-E -v -dM` printed: MACROS on its output, LOG on its errors.
CompilerFacts parseCompilerFacts(std::string_view Macros, std::string_view Log,
                                 bool CPlusPlus);

/// Reads what `nvcc --dryrun` printed.
CudaFacts parseCudaFacts(std::string_view Log);

/// Asks COMPILER about LANGUAGE ("c" or "c++") under FLAGS, in DIRECTORY.
Result<CompilerFacts> queryCompiler(const std::string &Compiler,
                                    const std::vector<std::string> &Flags,
                                    const std::string &Language,
                                    const std::string &Directory);

/// Asks the nvcc at COMPILER.
Result<CudaFacts> queryCuda(const std::string &Compiler,
                            const std::string &Directory);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_COMPILERQUERY_H

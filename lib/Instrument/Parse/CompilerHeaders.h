// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces the compiler's headers by Clang's.
//
// Headers that belong to a compiler (stdatomic.h, immintrin.h) use its own
// builtins, which Clang lacks. Clang has headers with the same names, but some
// of them include the next one of their name if there is one.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_COMPILERHEADERS_H
#define LOOPSCOPE_INSTRUMENT_PARSE_COMPILERHEADERS_H

#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

/// The real file system without those headers in \p Directories that also exist
/// in \p Clang, the directory of Clang's own headers.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withoutHeaders(const std::vector<std::string> &Directories, std::string Clang);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_COMPILERHEADERS_H

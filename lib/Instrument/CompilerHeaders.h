// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's headers in place of the compiler's.
//
// Headers that belong to a compiler (stdatomic.h, immintrin.h) are written in
// its own builtins, which Clang doesn't have. Clang has headers of the same
// names, but some of them include the next one of their name where there is
// one.

#ifndef LOOPSCOPE_INSTRUMENT_COMPILERHEADERS_H
#define LOOPSCOPE_INSTRUMENT_COMPILERHEADERS_H

#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

/// The real file system without the headers in DIRECTORIES whose names exist
/// in CLANG, the directory of Clang's own headers.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withoutHeaders(const std::vector<std::string> &Directories, std::string Clang);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_COMPILERHEADERS_H

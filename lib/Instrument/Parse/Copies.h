// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes copies of a header for one file, as GCC does.
//
// For GCC, a file that says `#pragma once` has been included if a file with its
// size, time of modification and text has. For Clang, only links to one file
// are one file.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_COPIES_H
#define LOOPSCOPE_INSTRUMENT_PARSE_COPIES_H

#include "llvm/Support/VirtualFileSystem.h"

namespace loopscope::instrument {

/// \p Files, in which such copies have the identity of the one that was asked
/// for first.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withCopiesAsOne(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_COPIES_H

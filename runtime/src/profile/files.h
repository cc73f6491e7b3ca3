// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that the runtime writes: making one overwrites nothing, filling one
// raises no signal, and errors have words.

#ifndef LOOPSCOPE_PROFILE_FILES_H
#define LOOPSCOPE_PROFILE_FILES_H

#include "base/system.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Makes a still unnamed file in PATH's directory; -1 if the file system or a
/// missing /proc prevents it.
int createNameless(const char *Path);

/// Creates PATH or a numbered name next to it, which NAME then is; unless FROM
/// is -1, gives that name to the unnamed file FROM. -1 on failure: ERROR says
/// why.
int createFile(const char *Path, int From, Text &Name, int &Error);

/// Extends the file by SIZE bytes at FROM, a whole number of pages, and
/// allocates all of them, so that stores to a mapping never hit a full disk.
/// Returns 0 or an error number.
int allocateFile(int Descriptor, uint64_t From, uint64_t Size);

/// Writes SIZE bytes to the file. Exceeding the size limit is an error, too,
/// not a signal. False: errno has the reason.
bool writeAll(int Descriptor, const void *Data, uint64_t Size, uint64_t Offset);

/// Describes an error number of a file operation in words.
const char *reasonOf(int Error);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_FILES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commit that a git repository has checked out, read from its files. Runs
// nothing and writes nothing.

#ifndef LOOPSCOPE_FACTS_COMMIT_H
#define LOOPSCOPE_FACTS_COMMIT_H

#include "base/system.h"

namespace loopscope::runtime {

/// Appends the commit's hexadecimal name to COMMIT: of the repository that has
/// DIRECTORY, an absolute path, on the same file system. False if there is none
/// or it can't be read. Slow lock held.
bool readCommit(const char *Directory, Text &Commit);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FACTS_COMMIT_H

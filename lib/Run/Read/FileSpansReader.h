// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long timelines, read once from the first block to the last:
//
//   blocks -> by thread FileSpans: sums by path, and an index of the blocks
//
// The index has 48 bytes for each block of a thousand spans, and 32 for each
// span that begins in one block and ends in another.

#ifndef LOOPSCOPE_RUN_READ_FILESPANSREADER_H
#define LOOPSCOPE_RUN_READ_FILESPANSREADER_H

#include "Run/Model/FileSpans.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Read/TimelineReader.h"

#include <memory>
#include <vector>

namespace loopscope {

/// The spans of each thread of Run::Threads, with begins and ends paired as
/// readTimeline does. Empty if spans can't stay in a file: \p Records have
/// none, or the program still runs (\p IsRunning) and overwrites its oldest
/// blocks, so that they couldn't be read a second time.
std::vector<FileLane> readFileLanes(ProfileBytes &Records, const Clock &Ticks,
                                    const TimelineIndices &Indices,
                                    bool IsRunning);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_FILESPANSREADER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds what the tool counted to the profile of a process that has ended.

#ifndef LOOPSCOPE_RUN_READ_APPENDCALLS_H
#define LOOPSCOPE_RUN_READ_APPENDCALLS_H

#include <loopscope/profile_format.h>

#include <string>
#include <vector>

namespace loopscope {

/// Appends \p Counts as a chunk to the profile \p Path, if process \p Pid made
/// it and has ended. The chunk is published last, so that a reader sees all of
/// it or nothing. Does nothing if the file can't be written or isn't whole.
void appendCalls(const std::string &Path, int Pid,
                 const std::vector<loopscope_call_count> &Counts);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_APPENDCALLS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's activity buffers, strictly according to its headers.
//
// A record gets its place in a buffer when its work is requested, on that
// thread, and is complete when the work has ended and CUPTI has noticed. A
// buffer returns to the tool when all its records are complete and it is full,
// or a flush requests it. A buffer with an incomplete record returns only in a
// forced flush, which notices all work that has ended.

#ifndef LOOPSCOPE_TEST_REPLAY_BUFFERS_H
#define LOOPSCOPE_TEST_REPLAY_BUFFERS_H

#include "Device.h"

#include "gpu/cupti_abi.h"

#include <functional>
#include <string>
#include <vector>

namespace replay {

/// How many tools CUPTI can serve at once; they are numbered.
inline constexpr unsigned MostTools = 2;

/// A tool's functions for providing buffers and taking them back.
struct BufferClient {
  std::function<void(uint8_t **Memory, size_t *Room, size_t *MaxRecords)>
      Request;
  std::function<void(uint8_t *Memory, size_t Room, size_t Valid)> Complete;
};

/// Sets the functions of the tool with this number. Without them there are no
/// buffers, and nothing is recorded.
void useBuffersOf(unsigned Tool, BufferClient Client);

/// Puts D into one of the tool's buffers, or counts it as dropped if there is
/// none.
void place(unsigned Tool, const Done &D);

/// cuptiActivityFlushAll.
void flush(bool Forced);

/// The number of a tool's records dropped since the last call.
size_t takeDropped(unsigned Tool);

/// Returns RECORDS to the first tool immediately, as they are in a recording.
void handOver(const std::vector<std::string> &Records);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_BUFFERS_H

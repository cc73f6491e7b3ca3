// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's activity buffers, by the letter of its headers.
//
// A record gets its place in a buffer when its work is asked for, on that
// thread, and is complete when the work has ended and CUPTI has noticed. A
// buffer goes back to the tool when all its records are complete and it is
// full, or a flush asks for it; with an incomplete one by a forced flush alone,
// which notices all that has ended.

#ifndef LOOPSCOPE_TEST_REPLAY_BUFFERS_H
#define LOOPSCOPE_TEST_REPLAY_BUFFERS_H

#include "Device.h"

#include "gpu/cupti_abi.h"

#include <functional>
#include <string>
#include <vector>

namespace replay {

/// Tools that CUPTI serves at the same time; they have numbers.
inline constexpr unsigned MostTools = 2;

/// How a tool gives buffers and takes them back.
struct BufferClient {
  std::function<void(uint8_t **Memory, size_t *Room, size_t *MaxRecords)>
      Request;
  std::function<void(uint8_t *Memory, size_t Room, size_t Valid)> Complete;
};

/// Of the tool with this number. Without them there are no buffers, and nothing
/// is on record.
void useBuffersOf(unsigned Tool, BufferClient Client);

/// Puts D into a buffer of a tool's, or counts it as dropped where there is
/// none.
void place(unsigned Tool, const Done &D);

/// cuptiActivityFlushAll.
void flush(bool Forced);

/// A tool's records that were dropped since the last question.
size_t takeDropped(unsigned Tool);

/// Gives RECORDS back to the first tool at once, as a recording has them.
void handOver(const std::vector<std::string> &Records);

} // namespace replay

#endif // LOOPSCOPE_TEST_REPLAY_BUFFERS_H

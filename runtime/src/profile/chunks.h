// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks of the profile, as they are in memory while it is written. Readers may
// read them at any moment, and after a kill.

#ifndef LOOPSCOPE_PROFILE_CHUNKS_H
#define LOOPSCOPE_PROFILE_CHUNKS_H

#include "store_order.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// A chunk in memory; its entries follow the header.
using Chunk = loopscope_chunk_header;

/// The first byte after the chunk's header.
inline char *entries(Chunk *C) {
  return reinterpret_cast<char *>(C) + sizeof(Chunk);
}

/// Makes the next COUNT entries of a chunk visible to readers.
inline void publish(Chunk *C, uint32_t Count) {
  __atomic_store_n(&C->used, C->used + Count, __ATOMIC_RELEASE);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_CHUNKS_H

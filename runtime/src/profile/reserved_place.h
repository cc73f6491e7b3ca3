// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address space for chunks whose records have a part in the process's memory
// (base/thread_links.h).

#ifndef LOOPSCOPE_PROFILE_RESERVED_PLACE_H
#define LOOPSCOPE_PROFILE_RESERVED_PLACE_H

#include "base/memory.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Where in its page a chunk at OFFSET of the file begins. The kernel maps
/// whole pages at multiples of a page, and chunks lie at multiples of
/// LOOPSCOPE_PROFILE_PAGE. So with larger pages the first and last page of a
/// mapping have neighbours' bytes, too, which the process doesn't touch there.
inline uint64_t inPage(uint64_t Offset) { return Offset % pageSize(); }

/// Room for a chunk, not mapped yet, and before it mapped memory for the own
/// parts of its records.
struct ReservedPlace {
  Pages Whole = {};
  char *At = nullptr; ///< of the chunk; null if out of memory
};

/// Reserves the place for a chunk of SIZE bytes at OFFSET of the file, whose
/// records end USED bytes into it.
ReservedPlace reservePlace(uint64_t Offset, uint64_t Size, uint64_t Used);

/// Gives back an unused place. Nothing happens if there is none.
void releasePlace(const ReservedPlace &Place);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_RESERVED_PLACE_H

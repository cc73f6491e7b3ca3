// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two mappings: the reserved space, and memory in its front.

#include "reserved_place.h"

#include "base/thread_links.h"

#include <sys/mman.h>

using namespace loopscope::runtime;

// The chunk's place is OwnDistance after the own parts. Like the file's, their
// memory is shared with forked children, which don't use it: otherwise each
// fork would copy it.
ReservedPlace loopscope::runtime::reservePlace(uint64_t Offset, uint64_t Size,
                                               uint64_t Used) {
  uint64_t Room = 4 * pageSize() + OwnDistance + Size;
  void *Memory = mmap(nullptr, Room, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return {};
  ReservedPlace Place{{static_cast<char *>(Memory), Room}, nullptr};
  // At a page's begin plus inPage(); rounding takes up to two pages on each
  // side.
  Place.At = pagesOf(Place.Whole.Begin + pageSize() + OwnDistance, 0).Begin +
             pageSize() + inPage(Offset);
  Pages Own = pagesOf(Place.At - OwnDistance, Used);
  if (mmap(Own.Begin, Own.Size, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
    return Place;
  releasePlace(Place);
  return {};
}

void loopscope::runtime::releasePlace(const ReservedPlace &Place) {
  if (Place.At != nullptr)
    munmap(Place.Whole.Begin, Place.Whole.Size);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the table of launches.

#include "launches.h"

#include <sys/mman.h>

using namespace loopscope::runtime;

bool Launches::create() {
  static_assert(sizeof(Entry) == 32, "two to a cache line");
  void *Memory = mmap(nullptr, (sizeof(Entry) + sizeof(*Order)) * Size,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return false;
  Table = static_cast<Entry *>(Memory);
  Order = reinterpret_cast<uint64_t *>(Table + Size);
  return true;
}

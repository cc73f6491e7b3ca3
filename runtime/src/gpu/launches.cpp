// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the table of launches.

#include "launches.h"

#include "base/memory.h"

using namespace loopscope::runtime;

bool Launches::create() {
  static_assert(sizeof(Entry) == 32, "two to a cache line");
  Table = static_cast<Entry *>(
      reserveMemory((sizeof(Entry) + sizeof(*Order)) * Size));
  if (Table == nullptr)
    return false;
  Order = reinterpret_cast<uint64_t *>(Table + Size);
  return true;
}

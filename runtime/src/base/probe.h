// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hash tables with open addressing: an entry is at the place for its hash, or
// at the next free one. What a place is, whether it is free, and who may write
// it meanwhile is the table's business.

#ifndef LOOPSCOPE_BASE_PROBE_H
#define LOOPSCOPE_BASE_PROBE_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The first place of TABLE, from the one for HASH on, that IS_IT accepts: it
/// accepts the key's place and a free one, at which the key's places end. Null
/// if it accepts none of MOST places. SIZE, the number of places, is a power of
/// two; a table that isn't full has a free one.
template <typename Place, typename Function>
inline Place *probe(Place *Table, size_t Size, uint64_t Hash, Function IsIt,
                    size_t Most = SIZE_MAX) {
  for (size_t Tries = 0; Tries != Most; ++Tries, ++Hash)
    if (Place &Each = Table[Hash & (Size - 1)]; IsIt(Each))
      return &Each;
  return nullptr;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_PROBE_H

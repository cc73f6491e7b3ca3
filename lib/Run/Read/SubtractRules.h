// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a part of a run has of a record: one table, a row for each type of chunk
// whose records are sums.

#ifndef LOOPSCOPE_RUN_READ_SUBTRACTRULES_H
#define LOOPSCOPE_RUN_READ_SUBTRACTRULES_H

#include "Run/Read/TwoProfiles.h"

#include <cstdint>
#include <unordered_set>

namespace loopscope {

/// What subtracting a profile learns on the way.
struct Subtracted {
  /// Nodes, as the file counts, that records of the part refer to.
  std::unordered_set<uint32_t> NodesInUse;
  /// Nodes with a span that ended in the part and had a good deal of its time
  /// before: what was measured of its whole duration isn't the part's.
  std::unordered_set<uint32_t> MostlyBefore;
  /// Spans that were open when the part began and have ended in it.
  uint64_t SpansAcross = 0;
  /// Records whose least or greatest value isn't exactly the part's.
  uint64_t Approximate = 0;
};

/// The least and the greatest of a number of values, in one record.
struct Extremes {
  uint64_t Count;
  uint64_t Sum;
  uint64_t Least;
  uint64_t Most;
};

/// Which extremes of a part are its own.
struct Exact {
  bool Least = true;
  bool Most = true;
  explicit operator bool() const { return Least && Most; }
};

/// The extremes of the part, of which Count and Sum are known, from those of
/// the whole, \p Now, and of what came before. Those that aren't exact are the
/// whole's, as far as the sum allows.
Exact subtractExtremes(const Extremes &Now, const Extremes &Then,
                       Extremes &Part);

/// Subtracts in all chunks of the table. Records in which nothing was added are
/// left out where their place means nothing.
void subtractRecords(TwoProfiles &Both, Subtracted &Learned);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SUBTRACTRULES_H

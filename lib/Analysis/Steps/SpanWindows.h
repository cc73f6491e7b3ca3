// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which spans of a timeline are kept one by one if there are too many: all that
// run in some windows of time. Elsewhere SpanCells.h has their sums.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_SPANWINDOWS_H
#define LOOPSCOPE_ANALYSIS_STEPS_SPANWINDOWS_H

#include "Analysis/Steps/SpanCells.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace loopscope {

/// Where the spans of a track begin, by number from 0 on, in order.
class SpanStarts {
public:
  virtual ~SpanStarts() = default;
  virtual uint64_t size() const = 0;
  /// When span number \p Index begins, which is below size().
  virtual int64_t startOf(uint64_t Index) const = 0;
  /// The number of the first span that begins at \p Ns or later.
  virtual uint64_t firstAt(int64_t Ns) const = 0;
  virtual int64_t lastNs() const = 0; ///< the last end
};

/// How many of \p Most spans each track gets that has \p Counts: all that it
/// has, if that is below an equal share of what others leave.
std::vector<size_t> fairShares(const std::vector<size_t> &Counts, size_t Most);

/// Windows by start, [from, to), without overlaps, in which about \p Most spans
/// begin: \p Wanted as far as they take a quarter, the track's end and start,
/// and windows spread over its whole time. One window with everything if there
/// are no more than \p Most spans; none if \p Most is 0.
std::vector<std::pair<int64_t, int64_t>>
spanWindows(const SpanStarts &Spans,
            const std::vector<std::pair<int64_t, int64_t>> &Wanted,
            size_t Most);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_SPANWINDOWS_H

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

/// A time of which a track's spans are known.
struct SpanWindow {
  int64_t FromNs = 0;
  int64_t ToNs = 0;
  std::vector<uint32_t> Spans; ///< all that run in it, as indices
};

/// How many of \p Most spans each track gets that has \p Counts: all that it
/// has, if that is below an equal share of what others leave.
std::vector<size_t> fairShares(const std::vector<size_t> &Counts, size_t Most);

/// Windows by start, without overlaps, in which about \p Most spans begin:
/// \p Wanted as far as they take a quarter, the track's end and start, and
/// windows spread over its whole time. One window with everything if \p Spans
/// are no more than \p Most; none if \p Most is 0.
std::vector<SpanWindow>
spanWindows(const std::vector<TrackSpan> &Spans,
            const std::vector<std::pair<int64_t, int64_t>> &Wanted,
            size_t Most);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_SPANWINDOWS_H

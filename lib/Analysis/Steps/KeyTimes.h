// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spans of a phase's keys over the run, where single spans are known: from
// a timeline or a trace.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_KEYTIMES_H
#define LOOPSCOPE_ANALYSIS_STEPS_KEYTIMES_H

#include "Analysis/Steps/SpanCells.h"
#include "Analysis/Tree/KeyFamilies.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// The spans of some keys that began in a cell of time; there are some.
struct KeyTimeCell {
  uint32_t Cell = 0;
  uint64_t Spans = 0;
  int64_t Ns = 0;
  int64_t LongestNs = 0;
};

/// A family's spans by cell; cells without a span are left out.
struct KeyTimes {
  std::vector<KeyTimeCell> All;                ///< of all keys
  std::vector<std::vector<KeyTimeCell>> OfKey; ///< as KeyFamily::Keys

  /// Finished spans, over all keys.
  uint64_t spans() const;
};

/// The times of \p Families, in their order, by cell of \p Grid, which has the
/// run's own times. Spans that begin outside it are left out, and so is an open
/// one. All are empty if \p R has no single spans.
std::vector<KeyTimes> keyTimes(const Run &R,
                               const std::vector<KeyFamily> &Families,
                               const CellGrid &Grid);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_KEYTIMES_H

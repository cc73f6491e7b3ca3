// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a track of spans did, by cell of time and call path: what a timeline
// draws where it can't draw each span.
//
//   paths -> SpanColumns: which paths have a column of their own
//   spans -> SpanCells: one byte a cell and column, its share of the cell

#ifndef LOOPSCOPE_ANALYSIS_STEPS_SPANCELLS_H
#define LOOPSCOPE_ANALYSIS_STEPS_SPANCELLS_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// A span of a track. Those of a track are by start, outer ones before those
/// that begin with them.
struct TrackSpan {
  int64_t StartNs = 0;
  int64_t EndNs = 0;
  uint32_t Path = 0; ///< index of the track's paths
};

/// Cells of equal length that cover [FromNs, ToNs).
struct CellGrid {
  int64_t FromNs = 0;
  int64_t ToNs = 1; ///< above FromNs
  size_t Count = 1; ///< at least 1

  double cellNs() const {
    return static_cast<double>(ToNs - FromNs) / static_cast<double>(Count);
  }
};

/// The paths of a track that have columns. A path without one counts for the
/// nearest path above it that has one, or else for the column of all others.
struct SpanColumns {
  std::vector<uint32_t> Paths; ///< by column; None: all others
  std::vector<uint32_t> Of;    ///< by path: its column
};

/// Columns for at most \p Most paths with the most time, each with all paths
/// above it. \p Ns has the time of each path's spans, \p Parents the path above
/// it, which has a smaller index, or None. \p Most is at least 1.
SpanColumns spanColumns(const std::vector<int64_t> &Ns,
                        const std::vector<uint32_t> &Parents, size_t Most);

/// Sums up the spans of a track as they come; holds no more of them than are
/// inside each other.
class SpanCells {
public:
  SpanCells(SpanColumns Columns, const CellGrid &Grid);

  /// Adds the track's next span.
  void add(const TrackSpan &Span);

  /// After all spans: by column and cell, its own time (without spans inside)
  /// in 1/255 of the cell. What rounding leaves goes to the next cell, so that
  /// the sum over any range of whole cells is right within one unit. If spans
  /// overlap, but none is inside the other, the time that both have is the
  /// later one's.
  std::vector<std::vector<uint8_t>> finish();

private:
  void closeUntil(int64_t Ns);
  void addUntil(int64_t Ns);
  void addOwn(uint32_t Path, int64_t StartNs, int64_t EndNs);

  SpanColumns Columns;
  CellGrid Grid;
  double CellNs;
  std::vector<std::vector<float>> Sums; ///< by column, in cells
  std::vector<TrackSpan> Open;          ///< the innermost last
  int64_t Done;                         ///< until where time is added
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_SPANCELLS_H

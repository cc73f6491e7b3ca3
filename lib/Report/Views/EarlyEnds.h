// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans that something else than their own end has ended: how rows with such
// spans are marked, and what the footer says of them.

#ifndef LOOPSCOPE_REPORT_VIEWS_EARLYENDS_H
#define LOOPSCOPE_REPORT_VIEWS_EARLYENDS_H

#include "Analysis/Tree/PathTree.h"
#include "Report/Print/Table.h"
#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// Whether some row of \p R has such spans: data formats then have the column.
bool hasEarlyEnds(const Run &R);

/// The number of such spans of a row.
extern const Column EarlyEndsColumn;

/// What text adds to the name of a row with such spans.
inline constexpr const char *EarlyEndsMark = " (ended early)";

/// The cell of a row's name.
Cell nameWithEarlyEnds(const std::string &Name, uint64_t EndedEarly);

/// The same of \p Of, a child of \p Parent in \p Tree: text tells namesakes
/// apart and says what is open, too.
Cell pathName(const Run &R, const PathTree &Tree, const Path &Of,
              const Path &Parent);

/// The footer's lines on such spans, as far as the profile says: which phases
/// they are of, and whether their own ends came later.
std::vector<std::string> earlyEndLines(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_EARLYENDS_H

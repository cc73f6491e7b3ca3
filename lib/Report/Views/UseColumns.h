// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words for how a part's time was used, for each view that names it.

#ifndef LOOPSCOPE_REPORT_VIEWS_USECOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_USECOLUMNS_H

#include "Analysis/Verdict/AccountUses.h"
#include "Report/Print/Fields.h"

#include <array>

namespace loopscope {

/// A use of a part's time: as a column, and in a sentence. Unknown has no word.
struct UseColumn {
  Column Shown;
  const char *Word;
};

/// In the order of TimeUse.
const std::array<UseColumn, TimeUseCount> &useColumns();

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_USECOLUMNS_H

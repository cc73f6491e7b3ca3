// What --filter, --sort, --columns and --rows do to a finished table, whichever
// view made it.
#ifndef LOOPSCOPE_REPORT_TABLEOPTIONS_H
#define LOOPSCOPE_REPORT_TABLEOPTIONS_H

#include "Profile/Result.h"
#include "Report/View.h"

namespace loopscope {

/// Applies \p Options to the tables of \p To, a section of view \p Which: keeps
/// the rows whose first cell matches the filter, sorts (numbers descending,
/// text ascending), limits the rows to the number asked for or to the view's
/// own limit, and picks columns. csv and json are for programs and show all
/// rows unless asked otherwise. Totals stay where they are. Fails on a column
/// that no table has, a filter that is no regular expression, and on views
/// whose rows depend on their neighbours: tree, throughput and advanced.
Result<Section> applyOptions(Section To, View Which,
                             const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_TABLEOPTIONS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --stage, --filter, --sort, --columns and --rows do to finished tables,
// whichever view made them.

#ifndef LOOPSCOPE_REPORT_VIEWS_TABLEOPTIONS_H
#define LOOPSCOPE_REPORT_VIEWS_TABLEOPTIONS_H

#include "Report/Views/View.h"
#include "Support/Result.h"

#include <cstddef>
#include <optional>
#include <regex>
#include <string>

namespace loopscope {

/// Applies \p Options to the tables of \p To, a section of view \p Which: keeps
/// the tables of a stage and the rows whose name matches the filter, sorts
/// (numbers descending, text ascending), limits the rows to the number asked
/// for or to the view's own limit, and picks columns, of each table that has
/// any of them. Totals stay where they are. In a tree, matching rows keep those
/// above and below them, siblings are sorted, and the rows with the most time
/// stay. csv and json are for programs and show all rows unless asked
/// otherwise. Fails on a column or stage that no table has, on a filter that is
/// no regular expression, and on what a view can't have: the rows of the
/// throughput view have one order.
Result<Section> applyOptions(Section To, const View &Which,
                             const ViewOptions &Options);

/// Leaves \p Limit rows of \p To, besides totals: the first ones, and in a tree
/// those with the most time. HiddenRows counts the others.
void limitRows(Table &To, size_t Limit);

/// The expression that --filter gives, none where it isn't one; badFilter()
/// says so then.
std::optional<std::regex> filterExpression(const std::string &Pattern);
std::string badFilter(const std::string &Pattern);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_TABLEOPTIONS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies --stage, --filter, --sort, --columns and --rows to finished tables,
// whichever view built them.

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
/// (numbers descending, text ascending), limits rows to the requested number or
/// to the view's own limit, and picks columns in each table that has any of
/// them. Totals stay in place. In a tree, matching rows keep those above and
/// below them, siblings are sorted, and the rows with the most time are kept.
/// csv and json are for programs and show all rows unless asked otherwise.
///
/// Fails on a column or stage that no table has, on a filter that isn't a
/// regular expression, and on what a view doesn't support: for example, the
/// rows of the throughput view have a fixed order.
Result<Section> applyOptions(Section To, const View &Which,
                             const ViewOptions &Options);

/// Keeps \p Limit rows of \p To plus totals: the first ones or, in a tree,
/// those with the most time. HiddenRows counts the others.
void limitRows(Table &To, size_t Limit);

/// The regular expression of --filter; none if it isn't one, in which case
/// badFilter() is the message.
std::optional<std::regex> filterExpression(const std::string &Pattern);
std::string badFilter(const std::string &Pattern);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_TABLEOPTIONS_H

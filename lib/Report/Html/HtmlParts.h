// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call paths, tables and the pie of the HTML page.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLPARTS_H
#define LOOPSCOPE_REPORT_HTML_HTMLPARTS_H

#include "Analysis/KernelRows.h"
#include "Report/Html/HtmlPage.h"

#include <cstddef>

namespace loopscope {

/// What a browser lays out at once without becoming slow.
constexpr size_t MaxHtmlSpans = 20000; ///< of the timeline
constexpr size_t MaxHtmlSteps = 200;   ///< bars of the step stack
constexpr size_t MaxHtmlRows = 5000;   ///< of one table
constexpr size_t MaxHtmlPaths = 5000;  ///< of one call-path tree

/// Adds the call-path tree of P's main thread and the one of all others, the
/// longest paths of each.
void addCallPaths(const Run &P, HtmlRun &Page);

/// Adds TABLES as view WHICH, each cut to its most important rows; adds nothing
/// when there are none.
void addTables(const View &Which, std::vector<Table> Tables, HtmlRun &Page);

/// Adds the pie of KERNELS, which come longest first.
void addPie(const std::vector<KernelRow> &Kernels, HtmlRun &Page);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLPARTS_H

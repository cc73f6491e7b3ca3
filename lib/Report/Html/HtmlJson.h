// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page's data as JSON: what page/model.js reads. Times are whole
// nanoseconds; indices are those of HtmlRun, and null is none.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLJSON_H
#define LOOPSCOPE_REPORT_HTML_HTMLJSON_H

#include "Report/Html/HtmlPage.h"

#include <nlohmann/json.hpp>

namespace loopscope {

nlohmann::ordered_json htmlJson(const HtmlReport &Of);

/// The timeline; null without.
nlohmann::ordered_json timelineJson(const HtmlTimeline &Of);

/// The run over time; null without.
nlohmann::ordered_json historyJson(const HtmlRun &Page);

/// The keys of call paths.
nlohmann::ordered_json familiesJson(const HtmlRun &Page);

/// A table of a view.
nlohmann::ordered_json tableJson(const Table &T);

/// What changed between two sides.
nlohmann::ordered_json comparisonJson(const HtmlComparison &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLJSON_H

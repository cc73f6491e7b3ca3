// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page's data as JSON: what page/model.js reads. Times are whole
// nanoseconds; indices are those of HtmlRun, and null is none.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLJSON_H
#define LOOPSCOPE_REPORT_HTML_HTMLJSON_H

#include "Report/Html/HtmlPage.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// Lines of source code, each once.
class CodeTable {
public:
  /// The index of \p Code; null if the page has no room for it.
  nlohmann::ordered_json indexOf(const std::string &Code);

  const std::vector<std::string> &lines() const { return Lines; }

private:
  std::map<std::string, size_t> Index;
  std::vector<std::string> Lines;
  size_t Bytes = 0;
};

/// \p Index; null for None.
nlohmann::ordered_json indexJson(uint32_t Index);

nlohmann::ordered_json htmlJson(const HtmlReport &Of);

/// The timeline; null without.
nlohmann::ordered_json timelineJson(const HtmlTimeline &Of);

/// The run over time; null without.
nlohmann::ordered_json historyJson(const HtmlRun &Page);

/// The keys of call paths.
nlohmann::ordered_json familiesJson(const HtmlRun &Page);

/// The lines of source with figures, and around them, whose code goes to
/// \p Code; null without.
nlohmann::ordered_json sourcesJson(const HtmlRun &Page, CodeTable &Code);

/// A table of a view.
nlohmann::ordered_json tableJson(const Table &T);

/// What changed between two sides.
nlohmann::ordered_json comparisonJson(const HtmlComparison &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLJSON_H

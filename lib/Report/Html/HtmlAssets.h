// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page's fixed parts, built into the program (HtmlAssets.cmake).

#ifndef LOOPSCOPE_REPORT_HTML_HTMLASSETS_H
#define LOOPSCOPE_REPORT_HTML_HTMLASSETS_H

#include <string_view>

namespace loopscope {

/// Texts that live as long as the program.
struct HtmlAssets {
  std::string_view Page; ///< the template, with @MARKS@ in this order:
                         ///< PAGE_CSS, PAGE_DATA, CHART_LIBRARY, PAGE_JS
  std::string_view Css;
  std::string_view Script;
  std::string_view ChartLibrary; ///< empty when the build had none
};

HtmlAssets htmlAssets();

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLASSETS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Page template plus data: the page's bytes.

#include "Report/Html/HtmlPage.h"

#include "Report/Html/HtmlAssets.h"
#include "Report/Html/HtmlJson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

using namespace loopscope;
using nlohmann::ordered_json;

namespace {
// JSON that is safe inside a script element: no "<" can end it early, and bytes
// that aren't UTF-8 are replaced.
std::string scriptSafe(const ordered_json &Data) {
  std::string Json =
      Data.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  std::string Safe;
  Safe.reserve(Json.size());
  for (char C : Json)
    if (C == '<')
      Safe += "\\u003c";
    else
      Safe += C;
  return Safe;
}
} // namespace

Result<std::string> loopscope::printHtml(const HtmlReport &Of,
                                         const HtmlServer *From) {
  HtmlAssets Assets = htmlAssets();
  if (Assets.ChartLibrary.empty())
    return Error{"this loopscope was built without the HTML page, because npm "
                 "could not fetch its chart library; use --format markdown, or "
                 "build it again with npm installed"};
  const std::pair<std::string_view, std::string> Parts[] = {
      {"@PAGE_SERVER@",
       From ? fmt::format(" data-page=\"{}\" data-runs=\"{}\"", From->Number,
                          fmt::join(From->Runs, " "))
            : ""},
      {"@PAGE_CONNECT@", From ? " connect-src 'self';" : ""},
      {"@PAGE_CSS@", std::string(Assets.Css)},
      {"@PAGE_DATA@", scriptSafe(htmlJson(Of))},
      {"@CHART_LIBRARY@", std::string(Assets.ChartLibrary)},
      {"@PAGE_JS@", std::string(Assets.Script)}};
  // One pass, left to right: inserted text is never searched.
  std::string_view Rest = Assets.Page;
  std::string Page;
  for (const auto &[Mark, Text] : Parts) {
    size_t At = Rest.find(Mark);
    Page.append(Rest.substr(0, At)).append(Text);
    Rest.remove_prefix(At + Mark.size());
  }
  return Page.append(Rest);
}

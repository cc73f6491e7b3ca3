// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables for the HTML page.

#include "Report/Html/HtmlParts.h"

#include "Report/Views/TableOptions.h"

using namespace loopscope;

void loopscope::addTables(const View &Which, std::vector<Table> Tables,
                          HtmlRun &Page) {
  if (Tables.empty())
    return;
  for (Table &T : Tables)
    limitRows(T, MaxHtmlRows);
  Page.Views.emplace_back(Which.Name, std::move(Tables));
}

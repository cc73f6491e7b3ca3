// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables for the HTML page.

#include "Report/Html/HtmlParts.h"

#include "Report/Views/TableOptions.h"

#include <algorithm>

using namespace loopscope;

namespace {
// The page's nodes for NODES of the run, longest first.
std::vector<uint32_t> onPage(const std::vector<uint32_t> &Nodes,
                             const HtmlPaths &Paths, const HtmlRun &Page) {
  std::vector<uint32_t> Shown;
  for (uint32_t Node : Nodes)
    if (Node < Paths.Shown.size() && Paths.Shown[Node] != None)
      Shown.push_back(Paths.Shown[Node]);
  // By time, then by place, so that duplicates are adjacent.
  std::sort(Shown.begin(), Shown.end(), [&](uint32_t A, uint32_t B) {
    return std::pair(-Page.Nodes[A].Ns, A) < std::pair(-Page.Nodes[B].Ns, B);
  });
  Shown.erase(std::unique(Shown.begin(), Shown.end()), Shown.end());
  Shown.resize(std::min(Shown.size(), MaxHtmlRowNodes));
  return Shown;
}
} // namespace

void loopscope::addTables(const View &Which, std::vector<Table> Tables,
                          const HtmlPaths &Paths, HtmlRun &Page) {
  if (Tables.empty())
    return;
  for (Table &T : Tables)
    limitRows(T, MaxHtmlRows);
  for (Table &T : Tables)
    for (Row &Each : T.Rows)
      Each.Nodes = onPage(Each.Nodes, Paths, Page);
  Page.Views.emplace_back(Which.Name, std::move(Tables));
}

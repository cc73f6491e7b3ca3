// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a comparison.

#include "Report/Commands/DiffPage.h"

#include "Report/Html/HtmlPage.h"
#include "Run/Combine/Merge.h"
#include "Run/Model/CallTree.h"

#include <fmt/format.h>

#include <utility>

using namespace loopscope;

namespace {
HtmlRun sideOf(std::vector<Run> Runs, const char *Side, const std::string &Name,
               const ViewOptions &Options) {
  Run All = Runs.size() == 1 ? std::move(Runs.front())
                             : mergeProfiles(std::move(Runs));
  addTree(All, EventNodes::Yes);
  HtmlRun Page = buildHtmlRun(All, figuresOf(All, {}), Options);
  Page.Title = fmt::format("{}: {}", Side, Name);
  // A comparison reads no single spans, so it doesn't suggest recording them.
  Page.Missing.clear();
  return Page;
}
} // namespace

Result<std::string>
loopscope::diffPage(std::vector<Run> Before, std::vector<Run> After,
                    const std::pair<std::string, std::string> &Names,
                    Section Diff, const ViewOptions &Options) {
  HtmlReport Page;
  Page.IsComparison = true;
  Page.Runs.push_back(
      sideOf(std::move(Before), "before", Names.first, Options));
  Page.Runs.push_back(sideOf(std::move(After), "after", Names.second, Options));
  if (!Diff.Tables.empty())
    Diff.Tables.back().Notes = std::move(Diff.Footer);
  Page.Shared.emplace_back("changes", std::move(Diff.Tables));
  return printHtml(Page);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source on the HTML page: the figures of `loopscope annotate`, and
// the code if it is known to be the text that was compiled.

#include "Report/Html/HtmlParts.h"
#include "Report/Print/Elide.h"
#include "Report/Views/ListSource.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

using namespace loopscope;

namespace {
// Why the page has no code at all; empty if it may have some.
const char *whyNone(const Run &P, bool WithCode) {
  if (P.IsPrivate)
    return "`LOOPSCOPE=private` leaves the source's text out of this page.";
  return WithCode ? ""
                  : "`--no-source` left the source's text out of this page.";
}

// Makes EXCERPT ready for the page: nodes are the page's, and no line is too
// long to draw.
void adapt(const HtmlPaths &Paths, ListedExcerpt &Excerpt) {
  for (ListedLine &Each : Excerpt.Lines) {
    uint32_t &Node = Each.Figures.Node;
    Node = Node == None ? None : Paths.Shown[Node];
    Each.Code = cutEnd(Each.Code, MaxHtmlCodeWidth);
  }
}
} // namespace

void loopscope::addSources(const Run &P, const HtmlPaths &Paths, bool WithCode,
                           HtmlRun &Page) {
  if (!P.By->KnowsPlaces)
    return;
  Result<SourceFigures> Found = sourceFigures(P, "");
  if (!Found)
    return;
  std::string Why = whyNone(P, WithCode);
  SourceListing Listing =
      listSource(P, *Found, "", HtmlSourceContext,
                 Why.empty() ? CodeShown::IfCompiled : CodeShown::None);
  size_t Lines = 0, LeftOut = 0;
  for (ListedExcerpt &Each : Listing.Excerpts) {
    Lines += Each.Lines.size();
    if (Lines > MaxHtmlSourceLines) {
      ++LeftOut;
      continue;
    }
    adapt(Paths, Each);
    Page.Sources.push_back(std::move(Each));
  }
  Page.SourceFiles = std::move(Listing.Files);
  for (uint32_t I = 0; I < Page.SourceFiles.size(); ++I)
    Page.SourceOf[Page.SourceFiles[I].Path] = I;
  for (const auto &[Name, Path] : Found->PathOfName)
    if (uint32_t Index = Page.sourceOf(Path); Index != None)
      Page.SourceOf[Name] = Index;
  Page.SourceIsLeftOut = !Why.empty();
  if (!Why.empty())
    Page.SourceNotes.push_back(std::move(Why));
  if (LeftOut != 0)
    Page.SourceNotes.push_back(fmt::format(
        "{} with the least time {} not on this page; `loopscope annotate` "
        "prints all.",
        counted(LeftOut, "excerpt"), LeftOut == 1 ? "is" : "are"));
}

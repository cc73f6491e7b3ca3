// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source on the HTML page: the figures of `loopscope annotate`, and
// the code if it is known to be the text that was compiled.

#include "Report/Html/HtmlParts.h"
#include "Report/Print/Elide.h"
#include "Report/Views/ListSource.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

using namespace loopscope;

namespace {
// Why the page has no code at all; empty if it may have some.
const char *whyNone(const Run &R, bool WithCode) {
  if (R.IsPrivate)
    return "`LOOPSCOPE=private` leaves the source's text out of this page.";
  return WithCode ? ""
                  : "`--no-source` left the source's text out of this page.";
}

bool hasFigures(const ListedLine &Line) {
  return Line.Figures.HasSpans || Line.Figures.Samples != 0;
}

// Keeps the hottest MaxHtmlSourceLines lines of EXCERPTS; returns how many
// lines with figures aren't among them.
size_t keepHottest(std::vector<ListedExcerpt> &Excerpts) {
  std::vector<ListedPlace> All = linesByHeat(Excerpts);
  if (All.size() <= MaxHtmlSourceLines)
    return 0;
  size_t LeftOut = 0;
  std::vector<std::vector<bool>> IsKept;
  for (const ListedExcerpt &Each : Excerpts)
    IsKept.emplace_back(Each.Lines.size());
  for (size_t I = 0; I < All.size(); ++I) {
    auto [Which, Line] = All[I];
    if (I < MaxHtmlSourceLines)
      IsKept[Which][Line] = true;
    else
      LeftOut += hasFigures(Excerpts[Which].Lines[Line]) ? 1 : 0;
  }
  for (size_t I = 0; I < Excerpts.size(); ++I) {
    size_t At = 0;
    std::erase_if(Excerpts[I].Lines,
                  [&](const ListedLine &) { return !IsKept[I][At++]; });
  }
  std::erase_if(Excerpts,
                [](const ListedExcerpt &Each) { return Each.Lines.empty(); });
  return LeftOut;
}
} // namespace

std::vector<ListedPlace>
loopscope::linesByHeat(const std::vector<ListedExcerpt> &Excerpts) {
  std::vector<ListedPlace> Hot, Result;
  std::vector<std::vector<bool>> IsTaken;
  for (uint32_t I = 0; I < Excerpts.size(); ++I) {
    IsTaken.emplace_back(Excerpts[I].Lines.size());
    for (uint32_t J = 0; J < Excerpts[I].Lines.size(); ++J)
      if (hasFigures(Excerpts[I].Lines[J]))
        Hot.emplace_back(I, J);
  }
  sortLargestFirst(Hot, [&](const ListedPlace &At) {
    return Excerpts[At.first].Lines[At.second].Heat;
  });
  auto Take = [&](uint32_t Which, size_t First, size_t End) {
    for (size_t J = First; J < End; ++J)
      if (!IsTaken[Which][J]) {
        IsTaken[Which][J] = true;
        Result.emplace_back(Which, static_cast<uint32_t>(J));
      }
  };
  for (auto [Which, Line] : Hot) {
    size_t Size = Excerpts[Which].Lines.size();
    Take(Which, Line, size_t{Line} + 1);
    Take(Which, Line - std::min(Line, HtmlSourceContext),
         std::min(Size, size_t{Line} + HtmlSourceContext + 1));
  }
  for (uint32_t I = 0; I < Excerpts.size(); ++I)
    Take(I, 0, Excerpts[I].Lines.size());
  return Result;
}

void loopscope::addSources(const Run &R, const HtmlPaths &Paths, bool WithCode,
                           HtmlRun &Page) {
  if (!R.By->KnowsPlaces)
    return;
  Result<SourceFigures> Found = sourceFigures(R, "");
  if (!Found)
    return;
  std::string Why = whyNone(R, WithCode);
  SourceListing Listing =
      listSource(R, *Found, "", HtmlSourceContext,
                 Why.empty() ? CodeShown::IfCompiled : CodeShown::None);
  size_t LeftOut = keepHottest(Listing.Excerpts);
  for (ListedExcerpt &Excerpt : Listing.Excerpts)
    for (ListedLine &Each : Excerpt.Lines) {
      uint32_t &Node = Each.Figures.Node;
      Node = Node == None ? None : Paths.Shown[Node];
      Each.Code = cutEnd(Each.Code, MaxHtmlCodeWidth);
    }
  Page.Sources = std::move(Listing.Excerpts);
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
        counted(LeftOut, "line"), LeftOut == 1 ? "is" : "are"));
}

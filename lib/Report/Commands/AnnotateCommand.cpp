// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope annotate`: figures by line, with the source files that contain the
// lines.

#include "Report/Commands/AnnotateCommand.h"

#include "Analysis/Samples/SourceLines.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Views/ListSource.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <utility>

using namespace loopscope;

int loopscope::runAnnotate(const AnnotateRequest &Request) {
  Result<Run> R = readInput(Request.File, ViewOptions());
  if (!R)
    return fail(R.error().Message);
  if (!R->By->KnowsPlaces)
    return fail(
        fmt::format("{}: annotate needs {}", Request.File, OurRuntime.Noun));
  Result<SourceFigures> Found = sourceFigures(*R, Request.Which);
  if (!Found)
    return fail(Found.error().Message);
  std::string Title = fmt::format("Lines of {}", R->displayName());
  if (!Request.Which.empty())
    Title += fmt::format(", {}", printable(Request.Which));
  SourceListing Listing = listSource(*R, *Found, std::move(Title),
                                     Request.Context, CodeShown::UnlessChanged);
  std::string Text =
      Request.Output == Format::Html ? listingHtml(Listing)
      : Request.Output == Format::Json
          ? listingJson(Listing)
          : listingText(Listing, terminalOf(Request.OutputFile, Request.Text));
  return writeOutput(Text, Request.OutputFile, {Request.File}) ? Fine : Failure;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of source, read for a listing.

#include "Report/Views/ListSource.h"

#include "Support/Order.h"
#include "Support/Paths.h"
#include "Support/Printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

using namespace loopscope;

namespace {
constexpr size_t TabWidth = 8;

std::string withoutTabs(const std::string &Line) {
  std::string Spaced;
  for (char C : Line) {
    if (C == '\t')
      Spaced.append(TabWidth - Spaced.size() % TabWidth, ' ');
    else if (C != '\r')
      Spaced += C;
  }
  return printable(Spaced);
}

std::vector<std::string> linesOf(const std::string &Text) {
  std::vector<std::string> Result;
  std::istringstream In(Text);
  for (std::string Line; std::getline(In, Line);)
    Result.push_back(withoutTabs(Line));
  return Result;
}

// What is said about a file in a state: in a sentence of its own where the code
// is shown only if it was compiled, and in a list of files.
struct Said {
  TextState Of;
  const char *Why;  // about one file; null: its code is shown
  const char *Note; // before files without code; null: theirs is shown
};
constexpr const char *MissingNote =
    "Without code, because the file is missing here";
constexpr Said Sentences[] = {
    {TextState::Compiled, nullptr, nullptr},
    {TextState::Rebuilt,
     "The program was built again after this run, so nothing tells from which "
     "text of {} the one that ran was compiled.",
     nullptr},
    {TextState::Unlisted,
     "Nothing tells from which text of {} the program was compiled: it lists "
     "those that the launcher gave hooks to.",
     nullptr},
    {TextState::Silent,
     "Nothing tells from which text of {} the program was compiled; a build "
     "through loopscope-launch does, for files with marks.",
     nullptr},
    {TextState::NoProgram,
     "Nothing tells from which text of {} the program was compiled, because "
     "the program can't be read here.",
     nullptr},
    {TextState::Renumbered,
     "#line in {} gives its lines other numbers, so nothing tells the code of "
     "a line.",
     "Without code, because #line gives the file's lines other numbers"},
    {TextState::Changed, "{} has changed since it was compiled.",
     "Without code, because the file isn't the one that was compiled"},
    {TextState::Missing, "{} is missing here.", MissingNote},
    {TextState::Unplaced,
     "Nothing tells in which folder the compiler found {}; a build through "
     "loopscope-launch does, or debug information.",
     MissingNote},
};

const Said &saidOf(TextState State) {
  return *std::ranges::find(Sentences, State, &Said::Of);
}

// Why the code of a file isn't shown by RULE; empty if it is.
std::string whyWithout(const std::string &Path, TextState State,
                       CodeShown Rule) {
  const Said &Of = saidOf(State);
  if (!Of.Why || (Rule == CodeShown::UnlessChanged && !Of.Note))
    return "";
  // Where a missing file should be is what there is to say about it.
  std::string Name(State == TextState::Missing ? std::string_view(Path)
                                               : fileName(Path));
  return fmt::format(fmt::runtime(Of.Why), printable(Name));
}

void addExcerpts(const SourceFile &File, uint32_t Index,
                 const SourceFigures &Of, uint32_t Context,
                 const std::vector<std::string> &Code, SourceListing &Into) {
  for (const SourceExcerpt &Each :
       excerptsOf(File, Of, Context, static_cast<uint32_t>(Code.size()))) {
    ListedExcerpt Next;
    Next.Path = File.Path;
    Next.File = Index;
    Next.Heat = Each.Heat;
    for (uint32_t Number = Each.First; Number <= Each.Last; ++Number) {
      ListedLine Line;
      Line.Number = Number;
      if (Number <= Code.size())
        Line.Code = Code[Number - 1];
      if (auto Found = File.Lines.find(Number); Found != File.Lines.end()) {
        Line.Figures = Found->second;
        Line.Heat = heatOf(Line.Figures, Of);
      }
      Next.Lines.push_back(std::move(Line));
    }
    Into.Excerpts.push_back(std::move(Next));
  }
}
} // namespace

SourceListing loopscope::listSource(const Run &R, const SourceFigures &Of,
                                    std::string Title, uint32_t Context,
                                    CodeShown Rule) {
  SourceListing Result;
  Result.Title = std::move(Title);
  Result.WallNs = Of.WallNs;
  Result.Samples = Of.Samples;
  Result.HasGpu = Of.HasGpu;
  std::vector<std::string> Newer;
  std::map<std::string_view, std::vector<std::string>> Without; // by note
  for (const SourceFile &File : Of.Files) {
    CheckedText Found;
    if (Rule != CodeShown::None)
      Found = checkedText(File.Path, File.Hashes, Of.Program);
    std::string Why = whyWithout(File.Path, Found.State, Rule);
    std::vector<std::string> Code;
    if (Why.empty())
      Code = linesOf(Found.Text);
    else if (const char *Note = saidOf(Found.State).Note)
      Without[Note].push_back(File.Path);
    // A program that is older than the run knows the text that ran.
    if (!Code.empty() && Found.State != TextState::Compiled &&
        isNewerThan(File.Path, R))
      Newer.push_back(File.Path);
    addExcerpts(File, static_cast<uint32_t>(Result.Files.size()), Of, Context,
                Code, Result);
    Result.Files.push_back(
        {File.Path, Rule == CodeShown::None ? "" : std::move(Why)});
  }
  sortLargestFirst(Result.Excerpts, &ListedExcerpt::Heat);
  Result.Notes.push_back(
      Of.Samples == 0
          ? "Times are those of spans that begin in a line; LOOPSCOPE=stacks "
            "would add samples."
          : "Times are those of spans that begin in a line; samples are of the "
            "line's own CPU time, on all threads.");
  if (!Newer.empty())
    Result.Notes.push_back(fmt::format("Newer than the run, so lines may have "
                                       "moved: {}.",
                                       fmt::join(Newer, ", ")));
  for (const Said &Each : Sentences)
    if (auto Files = Without.extract(Each.Note ? Each.Note : ""))
      Result.Notes.push_back(
          fmt::format("{}: {}.", Each.Note, fmt::join(Files.mapped(), ", ")));
  return Result;
}

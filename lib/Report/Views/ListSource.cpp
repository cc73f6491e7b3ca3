// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of source, read for a listing.

#include "Report/Views/ListSource.h"

#include "Support/CompiledSource.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <utility>

using namespace loopscope;

namespace {
constexpr size_t TabWidth = 8;

std::string shown(const std::string &Line) {
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
    Result.push_back(shown(Line));
  return Result;
}

bool isNewer(const std::string &Path, const Run &P) {
  struct stat Facts{};
  return stat(Path.c_str(), &Facts) == 0 && P.StartRealtimeNs > 0 &&
         Facts.st_mtim.tv_sec > P.StartRealtimeNs / NsPerSecond;
}

void addExcerpts(const SourceFile &File, const SourceFigures &Of,
                 uint32_t Context, const std::vector<std::string> &Code,
                 SourceListing &Into) {
  for (const SourceExcerpt &Each :
       excerptsOf(File, Of, Context, static_cast<uint32_t>(Code.size()))) {
    ListedExcerpt Next;
    Next.Path = File.Path;
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

SourceListing loopscope::listSource(const Run &P, const SourceFigures &Of,
                                    std::string Title, uint32_t Context) {
  SourceListing Result;
  Result.Title = std::move(Title);
  Result.WallNs = Of.WallNs;
  Result.Samples = Of.Samples;
  Result.HasGpu = Of.HasGpu;
  std::vector<std::string> Unread, Newer, Changed;
  for (const SourceFile &File : Of.Files) {
    std::optional<std::string> Text = sourceText(File.Path);
    std::vector<std::string> Code;
    if (!Text)
      Unread.push_back(File.Path);
    else if (File.Hash && *File.Hash != hashOf(*Text))
      Changed.push_back(File.Path);
    else
      Code = linesOf(*Text);
    // A program that is older than the run knows the text that ran.
    if (!Code.empty() && isNewer(File.Path, P) &&
        (!File.Hash || isNewer(P.Program, P)))
      Newer.push_back(File.Path);
    addExcerpts(File, Of, Context, Code, Result);
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
  if (!Changed.empty())
    Result.Notes.push_back(
        fmt::format("Without code, because the file isn't the one that was "
                    "compiled: {}.",
                    fmt::join(Changed, ", ")));
  if (!Unread.empty())
    Result.Notes.push_back(
        fmt::format("Without code, because the file is missing here: {}.",
                    fmt::join(Unread, ", ")));
  return Result;
}

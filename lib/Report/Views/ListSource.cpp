// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of source, read for a listing.

#include "Report/Views/ListSource.h"

#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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

// The lines of a file; none if it can't be read.
std::vector<std::string> linesOf(const std::string &Path) {
  std::error_code Error;
  std::vector<std::string> Result;
  // A device or a pipe might never end.
  if (!std::filesystem::is_regular_file(Path, Error))
    return Result;
  std::ifstream In(Path);
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
  std::vector<std::string> Unread, Newer;
  for (const SourceFile &File : Of.Files) {
    std::vector<std::string> Code = linesOf(File.Path);
    if (Code.empty())
      Unread.push_back(File.Path);
    else if (isNewer(File.Path, P))
      Newer.push_back(File.Path);
    addExcerpts(File, Of, Context, Code, Result);
  }
  std::stable_sort(Result.Excerpts.begin(), Result.Excerpts.end(),
                   [](const ListedExcerpt &A, const ListedExcerpt &B) {
                     return A.Heat > B.Heat;
                   });
  Result.Notes.push_back(
      Of.Samples == 0
          ? "Times are those of spans that begin in a line; LOOPSCOPE=stacks "
            "would add samples."
          : "Times are those of spans that begin in a line; samples are of the "
            "line's own processor time, on all threads.");
  if (!Newer.empty())
    Result.Notes.push_back(fmt::format("Newer than the run, so lines may have "
                                       "moved: {}.",
                                       fmt::join(Newer, ", ")));
  if (!Unread.empty())
    Result.Notes.push_back(
        fmt::format("Without code, because the file is missing here: {}.",
                    fmt::join(Unread, ", ")));
  return Result;
}

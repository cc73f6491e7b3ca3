// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out who the files are of, and keeps the footer short however many they
// are.

#include "Report/Views/SideBySide.h"

#include "Report/Views/FactLines.h"
#include "Report/Views/Footer.h"
#include "Run/Combine/RollCall.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

using namespace loopscope;

namespace {
RollCall rollCallOf(const std::vector<Run> &All) {
  std::vector<const RunInfo *> Infos(All.size());
  std::transform(All.begin(), All.end(), Infos.begin(),
                 [](const Run &Each) { return &Each; });
  return callRoll(Infos);
}

// LINE without its figures, which is what lines of many ranks have in common.
std::string shapeOf(const std::string &Line) {
  std::string Shape;
  for (char C : Line)
    if (std::isdigit(static_cast<unsigned char>(C)) == 0)
      Shape += C;
    else if (Shape.empty() || Shape.back() != '#')
      Shape += '#';
  return Shape;
}

std::string processesText(const std::vector<const Run *> &All) {
  if (All.size() == 1)
    return All.front()->processName();
  std::vector<int64_t> Ranks;
  size_t Others = 0;
  for (const Run *Each : All)
    if (Each->Rank >= 0)
      Ranks.push_back(Each->Rank);
    else
      ++Others;
  std::string Text =
      Ranks.empty() ? "" : fmt::format("ranks {}", rangesText(Ranks));
  if (Others != 0)
    Text += fmt::format("{}{} without a rank", Ranks.empty() ? "" : " and ",
                        counted(Others, "process"));
  return Text;
}

// The footer lines of several runs, each once: lines that differ only in
// figures are shown with those of the first.
std::vector<std::string> footersOf(const std::vector<Run> &All) {
  struct Said {
    std::string Line;
    bool Differs = false;
    std::vector<const Run *> By;
  };
  std::vector<Said> Lines;
  std::map<std::string, size_t> ByShape;
  for (const Run &Each : All) {
    Section One;
    describeRun(Each, Each, One);
    for (const std::string &Line : One.Footer) {
      if (Line.find("own cost") != std::string::npos)
        continue;
      auto [Found, IsNew] = ByShape.try_emplace(shapeOf(Line), Lines.size());
      if (IsNew)
        Lines.push_back({Line, false, {}});
      Said &To = Lines[Found->second];
      To.Differs |= To.Line != Line;
      To.By.push_back(&Each);
    }
  }
  std::vector<std::string> Footer;
  for (const Said &Each : Lines)
    Footer.push_back(fmt::format(
        "{}{}: {}", processesText(Each.By),
        Each.Differs
            ? fmt::format(" (figures of {})", Each.By.front()->processName())
            : "",
        Each.Line));
  return Footer;
}

} // namespace

std::vector<Run> loopscope::newestRanks(std::vector<Run> All,
                                        std::vector<std::string> &Notes) {
  RollCall Found = rollCallOf(All);
  if (Found.Runs.empty()) // forked children alone: these, then
    return All;
  const RankSet &Newest = Found.Runs.front();
  if (Found.Runs.size() > 1)
    Notes.push_back(fmt::format(
        "The files are from {}; this is the one that started last, with {}.",
        counted(Found.Runs.size(), "run"),
        counted(Newest.Files.size(), "process")));
  if (!Found.Forked.empty())
    Notes.push_back(fmt::format("{} left out: a forked process isn't a rank.",
                                counted(Found.Forked.size(), "file")));
  Notes.insert(Notes.end(), Newest.Notes.begin(), Newest.Notes.end());
  for (size_t Each : Newest.Doubtful)
    All[Each].Rank = -1;
  std::vector<Run> Ranks;
  for (size_t Each : Newest.Files)
    Ranks.push_back(std::move(All[Each]));
  return Ranks;
}

std::vector<std::string> loopscope::rollCallNotes(const std::vector<Run> &All) {
  RollCall Found = rollCallOf(All);
  std::vector<std::string> Notes;
  if (Found.Runs.size() > 1)
    Notes.push_back(fmt::format(
        "The files are from {}; the times are those of all of them.",
        counted(Found.Runs.size(), "run")));
  for (const RankSet &Each : Found.Runs)
    Notes.insert(Notes.end(), Each.Notes.begin(), Each.Notes.end());
  return Notes;
}

Result<Section> loopscope::sideBySide(std::vector<Run> Given, const View &Which,
                                      const ViewOptions &Options) {
  std::vector<std::string> Notes;
  std::vector<Run> All = newestRanks(std::move(Given), Notes);
  Result<std::vector<Table>> Tables = Which.OfRuns(All, Options);
  if (!Tables)
    return Tables.error();
  Section S;
  S.File = fmt::format("{} profiles", All.size());
  S.ViewName = Which.Name;
  S.Tables = std::move(*Tables);
  S.Footer = footersOf(All);
  std::vector<RunFact> Facts;
  for (const Run &Each : All)
    mergeFacts(Facts, Each.Facts, Each.processName());
  if (std::string Line = differingFactsLine(Facts); !Line.empty())
    S.Footer.push_back(std::move(Line));
  S.Footer.insert(S.Footer.end(), Notes.begin(), Notes.end());
  return S;
}

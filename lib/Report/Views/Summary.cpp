// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summary, which is what people see first: the verdict, where the run's
// time went, its heaviest phases, what to do, and how to see more. Its figures
// are those of the views account, tree and overview; text has the largest of
// them, as many as fit one screen, csv and json have all.

#include "Analysis/Tree/PathTree.h"
#include "Analysis/Verdict/AccountUses.h"
#include "Analysis/Verdict/Advice.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Print/Cells.h"
#include "Report/Views/EarlyEnds.h"
#include "Report/Views/FactLines.h"
#include "Report/Views/GpuColumns.h"
#include "Report/Views/OverviewScreen.h"
#include "Report/Views/UseColumns.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

using namespace loopscope;

namespace {
// What text shows: at most so many rows, each with at least this share, but
// always the largest few.
constexpr size_t Few = 3;
constexpr size_t MostPartRows = 8;
constexpr size_t MostPaths = 9;
constexpr int64_t LeastPart = 100; // a hundredth
// A phase's own time below this part of it is no more than its children's
// edges.
constexpr int64_t LeastSelf = 1000;
// Loops whose speed is told.
constexpr size_t MostLoops = 2;
// A use that has this share of a part's time has practically all of it.
constexpr double AllOfIt = 0.995;
constexpr size_t BarCells = 24;
// The options that show all GPUs.
constexpr const char *AllGpus = "--view overview --rows all";

// Data has no indentation.
const Column DepthColumn = {"depth", "Depth", Style::Integer};

// Which of the rows with these times text shows. A row comes before those that
// are parts of it, and isn't left out if one of them is shown.
std::vector<bool> largest(const std::vector<int64_t> &Ns, int64_t Whole,
                          size_t Most) {
  std::vector<size_t> Order(Ns.size());
  std::iota(Order.begin(), Order.end(), 0);
  sortLargestFirst(Order, [&](size_t A) { return Ns[A]; });
  std::vector<bool> Result(Ns.size(), false);
  for (size_t I = 0; I < std::min(Most, Order.size()); ++I)
    Result[Order[I]] =
        Ns[Order[I]] >= Whole / LeastPart || (I < Few && Ns[Order[I]] > 0);
  return Result;
}

// What most of a part's time was, and how much of it: "on CPU 72%"; empty if
// that isn't known.
std::string mostly(const TimeUses &Of, int64_t Ns) {
  const auto *Most = std::max_element(Of.begin(), Of.end());
  if (*Most <= 0)
    return {};
  std::string Word = useColumns()[static_cast<size_t>(Most - Of.begin())].Word;
  double Part =
      Ns <= 0 ? 0 : static_cast<double>(*Most) / static_cast<double>(Ns);
  return Word.empty() || Part <= 0 || Part >= AllOfIt
             ? Word
             : fmt::format("{} {:.0f}%", Word, 100 * Part);
}

// A row of the account.
struct PartRow {
  std::string Name;
  int Depth = 0;
  bool IsRest = false; ///< in no phase
  int64_t Ns = 0;
  TimeUses Used{};
  std::vector<uint32_t> Nodes;
};

// The rows below a heading, which is the first of them and their sum. Parts of
// equal names have their places, too.
std::vector<PartRow> groupOf(const Run &R, std::string Name, int64_t Ns,
                             const std::vector<AccountPart> &Parts,
                             const std::vector<TimeUses> &Used) {
  std::vector<PartRow> Group = {{std::move(Name), 0, false, Ns, {}, {}}};
  std::map<std::string, size_t> Named;
  for (const AccountPart &Each : Parts)
    ++Named[Each.Name];
  for (size_t I = 0; I < Parts.size(); ++I) {
    std::string Place = siteText(R, Parts[I].Site);
    Group.push_back({Named[Parts[I].Name] > 1 && !Place.empty()
                         ? fmt::format("{} ({})", Parts[I].Name, Place)
                         : Parts[I].Name,
                     1, Parts[I].Use == AccountUse::Rest, Parts[I].Ns, Used[I],
                     Parts[I].Nodes});
    addUses(Used[I], Group.front().Used);
  }
  std::stable_sort(
      Group.begin() + 1, Group.end(),
      [](const PartRow &A, const PartRow &B) { return A.Ns > B.Ns; });
  return Group;
}

std::string nameOf(const Run &R, const LoopAccount &Of) {
  std::string Place = siteText(R, Of.Site);
  return fmt::format("{}{}{}", Of.IsTraining ? "train" : "valid",
                     Place.empty() ? "" : " (" + Place + ")",
                     Of.IsNested ? ", nested" : "");
}

// The account, its loops and what is outside them in order of time.
std::vector<PartRow> partsOf(const Run &R, const Account &All,
                             const AccountUses &Uses) {
  std::vector<std::vector<PartRow>> Groups;
  for (size_t I = 0; I < All.Loops.size(); ++I)
    Groups.push_back(groupOf(R, nameOf(R, All.Loops[I]), All.Loops[I].Ns,
                             All.Loops[I].Parts, Uses.Loops[I]));
  Groups.push_back(groupOf(R, "outside all loops", All.OutsideNs, All.Outside,
                           Uses.Outside));
  sortLargestFirst(Groups, [](const auto &A) { return A.front().Ns; });
  std::vector<PartRow> Rows;
  for (std::vector<PartRow> &Group : Groups) {
    // Without loops, everything is outside them.
    if (All.Loops.empty())
      Group.erase(Group.begin());
    for (PartRow &Each : Group) {
      Each.Depth -= All.Loops.empty() ? 1 : 0;
      Rows.push_back(std::move(Each));
    }
  }
  return Rows;
}

// "train (train.cpp:31) ran 624 steps of 2.15 ms, 14838 samples/s, after 1
// warm-up step."
std::string speedOf(const Run &R, const LoopAccount &Of) {
  std::string Line =
      fmt::format("{} ran {} of {}", nameOf(R, Of), counted(Of.Steps, "step"),
                  readableDuration(Of.meanStepNs() / NsPerSecond));
  if (Of.samplesPerSecond() > 0)
    Line += fmt::format(", {} samples/s", rate(Of.samplesPerSecond()));
  if (Of.WarmupSteps != 0)
    Line += fmt::format(", after {}", counted(Of.WarmupSteps, "warm-up step"));
  return Line + ".";
}

// A run without steps has no verdict, but a largest phase.
std::string largestPhase(const Run &R, const Account &All) {
  auto Most = std::find_if(
      All.Outside.begin(), All.Outside.end(),
      [](const AccountPart &Each) { return Each.Use == AccountUse::Phase; });
  if (!All.Loops.empty() || Most == All.Outside.end() || Most->Ns <= 0 ||
      Most->Ns < All.WholeNs / LeastPart)
    return {};
  std::string Place = siteText(R, Most->Site);
  return fmt::format("{}{} takes {:.1f}% of the run. ", Most->Name,
                     Place.empty() ? "" : fmt::format(" ({})", Place),
                     100 * static_cast<double>(Most->Ns) /
                         static_cast<double>(All.WholeNs));
}

Table verdictTable(const Run &R, const Account &All, const Figures &Of) {
  Table Out;
  Out.Id = "verdict";
  Out.Notes = {largestPhase(R, All) + verdictHead(Of, true)};
  return Out;
}

// A bar from the left to PART, 0 to 1.
Cell bar(double Part) { return {Bar{{{0, 0, Part}}}, {}}; }

// The account's rows. Text leaves out small ones, and what is all of the row
// above and no phase.
Table partTable(const Run &R, const Account &All, bool IsData) {
  AccountUses Uses = accountUses(R, All);
  std::vector<PartRow> Parts = partsOf(R, All, Uses);
  std::vector<int64_t> Times;
  for (const PartRow &Each : Parts)
    Times.push_back(Each.Ns);
  std::vector<bool> Shown = largest(Times, All.WholeNs, MostPartRows);
  auto IsSame = [&](size_t I) {
    return I > 0 && Parts[I].IsRest && Parts[I].Depth > Parts[I - 1].Depth &&
           part(Parts[I].Ns, Parts[I - 1].Ns) >= AllOfIt;
  };
  Table Out;
  Out.Id = "parts";
  Out.Columns = {
      {"part", fmt::format("Where the {} went", wholeText(All)), Style::Text},
      {"percent", "Share", Style::Percent1},
      {"time_s", "Time", Style::Time}};
  if (Uses.IsKnown || IsData)
    Out.Columns.push_back({"mostly", "Mostly", Style::Text, 1});
  Out.Columns.push_back(
      IsData ? DepthColumn : Column{"bar", "", Style::Bar, 2, false, BarCells});
  Out.Keys = {{0, Fill::Solid, ""}};
  for (size_t I = 0; I < Parts.size(); ++I) {
    PartRow &Each = Parts[I];
    if (!IsData && (!Shown[I] || IsSame(I)))
      continue;
    Row Next;
    Next.Depth = Each.Depth;
    Next.Cells = {text(std::move(Each.Name)), share(Each.Ns, All.WholeNs),
                  duration(Each.Ns)};
    if (Uses.IsKnown || IsData)
      Next.Cells.push_back(text(mostly(Each.Used, Each.Ns)));
    Next.Cells.push_back(IsData ? count(static_cast<uint64_t>(Each.Depth))
                                : bar(part(Each.Ns, All.WholeNs)));
    Next.Nodes = std::move(Each.Nodes);
    Out.Rows.push_back(std::move(Next));
  }
  if (std::string Note = threadsNote(All); !Note.empty())
    Out.Notes.push_back(std::move(Note));
  size_t Told = 0;
  for (const LoopAccount &Each : All.Loops)
    if (Each.Steps != 0 && Told++ < MostLoops)
      Out.Notes.push_back(speedOf(R, Each));
  return Out;
}

// What an average step of a trace was spent on, as the overview has it.
Table roleTable(const Figures &Of) {
  const StepAnalysis &Steps = Of.Steps;
  Table Out;
  Out.Id = "roles";
  Out.Columns = {
      {"role",
       Steps.NoStepMarks
           ? "By what it was spent on"
           : fmt::format("An average step of {}",
                         readableDuration(Steps.AverageStep / NsPerSecond)),
       Style::Text},
      {"percent", "Share", Style::Percent1},
      {"time_s", "Time", Style::Time},
      {"bar", "", Style::Bar, 2, false, BarCells}};
  Out.Keys = {{0, Fill::Solid, ""}};
  for (size_t R = 0; R < RoleCount; ++R) {
    double Part =
        Steps.AverageStep <= 0 ? 0 : Steps.AverageRoles[R] / Steps.AverageStep;
    if (Part * LeastPart >= 1)
      Out.Rows.push_back(
          {{text(roleName(static_cast<TimeRole>(R))), real(100 * Part),
            seconds(Steps.AverageRoles[R] / NsPerSecond), bar(Part)}});
  }
  Out.Notes = gpuNotes(Of, AllGpus);
  return Out;
}

// The threads whose tree is shown: the main threads, or the others if only they
// run loops.
std::vector<uint32_t> threadsOf(const Run &R, const Account &All) {
  bool OnMain = All.Loops.empty();
  for (const LoopAccount &Each : All.Loops)
    for (uint32_t Step : Each.StepNodes)
      OnMain |= R.Threads[R.Nodes[Step].Thread].IsMain;
  std::vector<uint32_t> Result;
  for (uint32_t T = 0; T < R.Threads.size(); ++T)
    if (R.Threads[T].Root != None && R.Threads[T].IsMain == OnMain)
      Result.push_back(T);
  return Result;
}

// A path and its parent, in the order of a tree's rows.
struct Line {
  const Path *Of, *Parent;
};

// Depth first, without recursion: a hostile tree may be deep.
std::vector<Line> linesOf(const PathTree &Tree) {
  std::vector<Line> Result;
  std::vector<Line> Left = {{Tree.data(), nullptr}};
  while (!Left.empty()) {
    Line At = Left.back();
    Left.pop_back();
    if (At.Parent)
      Result.push_back(At);
    for (size_t I = At.Of->Children.size(); I-- > 0;)
      Left.push_back({&Tree[At.Of->Children[I]], At.Of});
  }
  return Result;
}

Table pathTable(const Run &R, const Account &All, bool IsData) {
  GpuByNode Gpu(R);
  PathTree Tree = mergeTrees(R, threadsOf(R, All), &Gpu);
  std::vector<Line> Lines = linesOf(Tree);
  std::vector<int64_t> Times;
  for (const Line &Each : Lines)
    Times.push_back(Each.Of->InclusiveNs);
  std::vector<bool> Shown = largest(Times, Tree[0].InclusiveNs, MostPaths);
  Table Out;
  Out.Id = "phases";
  Out.Columns = {{"name", "Heaviest phases", Style::Text},
                 {"inclusive_s", "Total", Style::Time},
                 {"self_s", "Self", Style::Time},
                 {"calls", "Calls", Style::Integer, 1},
                 {"mean_s", "Mean", Style::Time}};
  if (IsData)
    Out.Columns.push_back(DepthColumn);
  if (Gpu.hasData())
    Out.Columns.push_back({"gpu_s", "GPU time", Style::Time});
  for (size_t I = 0; I < Lines.size(); ++I) {
    if (!Shown[I] && !IsData) {
      ++Out.HiddenRows;
      continue;
    }
    const Path &Of = *Lines[I].Of;
    bool IsEdge = Of.SelfNs < Of.InclusiveNs / LeastSelf;
    Row Next;
    Next.Depth = Of.Depth;
    Next.Cells = {
        pathName(R, Tree, Of, *Lines[I].Parent), duration(Of.InclusiveNs),
        duration(Of.SelfNs, IsEdge ? "-" : ""), count(Of.Calls),
        Of.Calls == 0 ? absent() : seconds(Of.Spans.meanNs() / NsPerSecond)};
    if (IsData)
      Next.Cells.push_back(count(static_cast<uint64_t>(Of.Depth)));
    if (Gpu.hasData())
      Next.Cells.push_back(gpuCells(Gpu, Of.Gpu).front());
    if (Of.Children.empty() && Tree[0].InclusiveNs > 0)
      Next.OwnPercent = static_cast<double>(Of.InclusiveNs) * 100 /
                        static_cast<double>(Tree[0].InclusiveNs);
    Out.Rows.push_back(std::move(Next));
  }
  return Out;
}

// Which views have more on this run.
std::vector<std::string> furtherViews(const Run &R, const Account &All,
                                      const Figures &Of, bool IsMerged) {
  std::vector<std::string> Names = {"account"};
  auto Add = [&](bool IsWanted, const char *Name) {
    if (IsWanted)
      Names.emplace_back(Name);
  };
  Add(!All.Loops.empty(), "throughput");
  Add(R.By->KeepsHistory, "history");
  Add(true, "overview");
  Add(!Of.Kernels.empty(), "kernels");
  Add(Of.HasOperators, "operators");
  Add(!R.Stacks.Samples.empty(), "functions");
  Add(R.hasSpans() || R.By->KeepsEvents, "timeline");
  Add(R.WorldSize > 1 && IsMerged, "ranks");
  return Names;
}

Table moreTable(const Run &R, const Account &All, const Figures &Of,
                const ViewOptions &Options, size_t Hidden) {
  // Of several files, the files are known.
  std::string Command = "--merge --view tree";
  if (!Options.Merged) {
    Command = "loopscope report --view tree";
    if (!Options.Thread.empty())
      Command += " --thread " + shellQuoted(Options.Thread);
    Command += " " + shellQuoted(R.Path);
  }
  Table Out;
  Out.Id = "more";
  if (std::string Line = factsLine(R); !Line.empty())
    Out.Notes.push_back(std::move(Line));
  Out.Notes.push_back(fmt::format(
      "`{}` shows {}. More views: {}; `--open` shows them all on a page.",
      Command,
      Hidden == 0 ? "the whole tree"
                  : fmt::format("{}, too", counted(Hidden, "smaller phase")),
      fmt::join(furtherViews(R, All, Of, Options.Merged), ", ")));
  return Out;
}

Result<std::vector<Table>> buildSummary(const Run &R, const Figures &Of,
                                        const ViewOptions &Options) {
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  Account All = accountOf(R);
  std::vector<Table> Out;
  if (!IsData)
    Out.push_back(verdictTable(R, All, Of));
  Out.push_back(partTable(R, All, IsData));
  // Devices work while the host does something else.
  if (!IsData && R.By->KeepsEvents && Of.HasSteps && Of.Steps.UsesGpu)
    Out.push_back(roleTable(Of));
  else if (!IsData)
    for (std::string &Note : gpuNotes(Of, AllGpus))
      Out.back().Notes.push_back(std::move(Note));
  Out.push_back(pathTable(R, All, IsData));
  size_t Hidden = std::exchange(Out.back().HiddenRows, 0);
  if (!IsData) {
    Out.push_back(adviceScreen(Of, 1, "--view overview"));
    Out.push_back(moreTable(R, All, Of, Options, Hidden));
  }
  // json has them among the run's facts.
  if (Options.Output == Format::Csv && !R.Facts.empty())
    Out.push_back(factsTable(R));
  for (Table &Each : Out)
    Each.Where = {{"table", Each.Id}};
  return Out;
}
} // namespace

namespace loopscope {
extern const View SummaryView = {
    .Name = "summary",
    .Help = "one screen: the verdict, where time went, what to do",
    .OfBoth = buildSummary,
    .Shape = {.Sorts = false, .Cuts = false, .FirstOnly = true},
    .Reads = overviewTimeline,
    .Parts = overviewParts,
    .ShowsVerdict = true,
    .OnPage = false,
    .Phases = PhasesOfRanks::Sums,
};
} // namespace loopscope

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simple view.

#include "Analysis/Tree/FlatRows.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Report/Print/Cells.h"
#include "Report/Views/CpuColumns.h"
#include "Report/Views/EarlyEnds.h"
#include "Report/Views/GpuColumns.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// Programs rely on csv's header: these keys, in this order.
const std::vector<Column> BaseColumns = {
    {"action", "Action", Style::Text},
    {"mean_s", "Mean duration (s)", Style::Python5, 1},
    {"calls", "Num calls", Style::Integer, 2},
    {"total_s", "Total time (s)", Style::Python5},
    {"percent", "Percentage %", Style::Python5}};
const std::vector<Column> StatsColumns = {
    {"stddev_s", "Std dev (s)", Style::Python5, 7},
    {"min_s", "Min (s)", Style::Python5, 9},
    {"p50_s", "p50 (s)", Style::Python5, 6},
    {"p95_s", "p95 (s)", Style::Python5, 3},
    {"p99_s", "p99 (s)", Style::Python5, 8},
    {"max_s", "Max (s)", Style::Python5, 5},
    {"self_s", "Self time (s)", Style::Python5, 4}};
// With --stats, in runs with waits.
const Column UsefulTimeColumn = {"useful_s", "Useful (s)", Style::Python5, 3};
const std::vector<Column> CompactColumns = {
    {"action", "Action", Style::Text},
    {"mean_s", "Mean duration (s)", Style::Python5},
    {"total_s", "Total time (s)", Style::Python5}};

Cell mean(const FlatRow &Each) {
  if (Each.Calls == 0)
    return absent();
  return seconds(static_cast<double>(Each.FinishedNs) /
                 static_cast<double>(Each.Calls) / NsPerSecond);
}

void addStats(Row &To, const FlatRow &Each) {
  const Moments &M = Each.Spans;
  const double Values[] = {M.deviationNs(),      M.minNs(),
                           M.percentileNs(0.5),  M.percentileNs(0.95),
                           M.percentileNs(0.99), M.maxNs()};
  for (double Ns : Values)
    To.Cells.push_back(Each.Calls == 0 ? absent() : seconds(Ns / NsPerSecond));
  To.Cells.push_back(duration(Each.SelfNs));
}

// Without --stats, only the time.
std::vector<Column> shownGpuColumns(const GpuByNode &Gpu, bool Stats) {
  std::vector<Column> Result = gpuColumns(Gpu, Style::Python5);
  if (!Stats)
    Result.resize(1);
  // They are dropped before the statistics are.
  unsigned Priority = 10;
  for (size_t I = 1; I < Result.size(); ++I)
    Result[I].Priority = Priority++;
  return Result;
}

bool hasRest(const FlatRows &Flat) {
  return Flat.UnaccountedNs > 0 || !Flat.UnaccountedGpu.isEmpty();
}

// PART of stage S, for colours.
double percentOf(int64_t Part, const Stage &S) {
  return S.WallNs <= 0
             ? 0
             : static_cast<double>(Part) * 100 / static_cast<double>(S.WallNs);
}

// Whose time the row (unaccounted) has; empty if there is no such row, or if
// the table has no other thread to confuse it with.
std::string unaccountedOf(const FlatRows &Flat) {
  if (!hasRest(Flat) || Flat.OtherThreads == 0)
    return {};
  if (Flat.OwnTrees != Flat.OwnMainTrees)
    return "the stage's threads";
  return Flat.OwnTrees == 1 ? "main thread" : "main threads";
}

void padWithAbsent(Row &To, size_t Columns) {
  while (To.Cells.size() < Columns)
    To.Cells.push_back(absent());
}

Table makeFull(const Stage &S, const FlatRows &Flat, const GpuByNode &Gpu,
               bool HasUnlaunched, bool Stats, bool Cpu, bool Useful,
               bool Early) {
  Table Result;
  Result.TextLayout = Layout::Lightning;
  Result.Columns = BaseColumns;
  if (Stats)
    Result.Columns.insert(Result.Columns.end(), StatsColumns.begin(),
                          StatsColumns.end());
  if (Cpu)
    for (Column &Each : cpuColumns(Style::Python5, 20))
      Result.Columns.push_back(std::move(Each));
  if (Useful)
    Result.Columns.push_back(UsefulTimeColumn);
  if (Early)
    Result.Columns.push_back(EarlyEndsColumn);
  size_t Base = Result.Columns.size();
  if (Gpu.hasData())
    for (Column &Each : shownGpuColumns(Gpu, Stats))
      Result.Columns.push_back(std::move(Each));
  auto AddGpu = [&](Row &To, const GpuSums &Sums) {
    padWithAbsent(To, Base);
    if (!Gpu.hasData())
      return;
    std::vector<Cell> Cells = gpuCells(Gpu, Sums);
    Cells.resize(Result.Columns.size() - Base);
    To.Cells.insert(To.Cells.end(), Cells.begin(), Cells.end());
  };
  uint64_t Calls = 0; // as Lightning has it, of all rows
  for (const FlatRow &Each : Flat.Rows)
    Calls += Each.Calls;
  Row Total;
  Total.IsTotal = true;
  Total.Cells = {text("Total"), absent(), count(Calls), duration(S.WallNs),
                 real(100, "100 %")};
  AddGpu(Total, Flat.Gpu);
  Result.Rows.push_back(std::move(Total));
  for (const FlatRow &Each : Flat.Rows) {
    Row Next;
    Next.Cells = {nameWithEarlyEnds(Each.Name, Each.EndedEarly), mean(Each),
                  count(Each.Calls), duration(Each.TotalNs),
                  share(Each.TotalNs, S.WallNs)};
    Next.OwnPercent = percentOf(Each.SelfNs, S);
    Next.Nodes = Each.Nodes;
    if (Stats)
      addStats(Next, Each);
    if (Cpu)
      for (Cell &Each : cpuCells(Each.Cpu, Each.CountedNs))
        Next.Cells.push_back(std::move(Each));
    if (Useful)
      Next.Cells.push_back(duration(Each.TotalNs - Each.UselessNs));
    if (Early)
      Next.Cells.push_back(count(Each.EndedEarly));
    AddGpu(Next, Each.Gpu);
    Result.Rows.push_back(std::move(Next));
  }
  if (hasRest(Flat)) {
    Row Rest;
    Cell Name = text("(unaccounted)");
    if (std::string Whose = unaccountedOf(Flat); !Whose.empty())
      Name.Text = Whose.starts_with("main") ? "(unaccounted, main)"
                                            : "(unaccounted, stage)";
    Rest.Cells = {std::move(Name), absent(), absent(),
                  duration(Flat.UnaccountedNs),
                  share(Flat.UnaccountedNs, S.WallNs)};
    Rest.OwnPercent = percentOf(Flat.UnaccountedNs, S);
    AddGpu(Rest, Flat.UnaccountedGpu);
    Result.Rows.push_back(std::move(Rest));
  }
  if (HasUnlaunched) {
    Row Unknown;
    Unknown.Cells = {text("(launch unknown)"), absent(), absent(), absent(),
                     absent()};
    AddGpu(Unknown, Gpu.unlaunched());
    Result.Rows.push_back(std::move(Unknown));
  }
  return Result;
}

double meanAction(const FlatRow &Each) {
  return Each.Calls == 0 ? 0
                         : static_cast<double>(Each.FinishedNs) /
                               static_cast<double>(Each.Calls);
}

Table makeCompact(FlatRows Flat) {
  Table Result;
  Result.TextLayout = Layout::Compact;
  Result.Columns = CompactColumns;
  sortLargestFirst(Flat.Rows, [](const FlatRow &A) { return meanAction(A); });
  for (const FlatRow &Each : Flat.Rows)
    Result.Rows.push_back({{nameWithEarlyEnds(Each.Name, Each.EndedEarly),
                            mean(Each), duration(Each.TotalNs)}});
  return Result;
}

bool hasFunctions(const Run &R) {
  return std::any_of(R.Nodes.begin(), R.Nodes.end(), [](const Node &N) {
    return N.Kind == LOOPSCOPE_KIND_FUNCTION && N.Spans.count() != 0;
  });
}

std::vector<std::string> notes(const FlatRows &Flat, const Run &R,
                               bool Compact) {
  std::vector<std::string> Result;
  std::string Whose = Compact ? "" : unaccountedOf(Flat);
  if (Flat.Rows.empty() && hasFunctions(R))
    Result.push_back("No phase ran here. The advanced view has the functions: "
                     "--view advanced.");
  if (Flat.Threads > 1)
    Result.push_back(fmt::format(
        "Times are sums over {} threads, so a share can exceed 100%{}.",
        Flat.Threads,
        Whose.empty()
            ? ""
            : fmt::format("; (unaccounted) is the time of {}{} alone",
                          Whose.starts_with("main") ? "the " : "", Whose)));
  std::string Recursive;
  for (const FlatRow &Each : Flat.Rows)
    if (Each.Recursive)
      Recursive += (Recursive.empty() ? "" : ", ") + Each.Name;
  if (!Recursive.empty())
    Result.push_back(fmt::format(
        "Recursive: {}. Total time counts nested spans once, calls and mean "
        "count all.",
        Recursive));
  return Result;
}

std::vector<std::string> namesWithoutCpu(const FlatRows &Flat) {
  std::vector<std::string> Result;
  for (const FlatRow &Each : Flat.Rows)
    if (!Each.Cpu.standFor(Each.CountedNs))
      Result.push_back(Each.Name);
  return Result;
}

Result<std::vector<Table>> buildSimple(const Run &R,
                                       const ViewOptions &Options) {
  bool HasCpu = hasCpu(R);
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  std::vector<Table> Tables;
  Stages All = findStages(R);
  GpuByNode Gpu(R);
  bool Useful = hasUsefulTime(R);
  for (const Stage &S : All.List) {
    FlatRows Flat = flatten(R, Gpu, All, S);
    std::vector<std::string> Notes = notes(Flat, R, Options.Compact);
    if (HasCpu && Options.Stats && !Options.Compact)
      for (std::string &Note : cpuNotes(namesWithoutCpu(Flat)))
        Notes.push_back(std::move(Note));
    bool HasUnlaunched = All.Implicit && !Gpu.unlaunched().isEmpty();
    Table T = Options.Compact ? makeCompact(std::move(Flat))
                              : makeFull(S, Flat, Gpu, HasUnlaunched,
                                         Options.Stats || IsData,
                                         HasCpu && (Options.Stats || IsData),
                                         (Options.Stats || IsData) && Useful,
                                         IsData && hasEarlyEnds(R));
    if (!Options.Compact)
      for (std::string &Note : gpuNotes(Gpu))
        Notes.push_back(std::move(Note));
    T.Id = S.Id;
    T.Where = {{"stage", S.Id}};
    T.Title = S.Title;
    T.Notes = std::move(Notes);
    Tables.push_back(std::move(T));
  }
  return Tables;
}
} // namespace

namespace loopscope {
extern const View SimpleView = {
    .Name = "simple",
    .Help = "Lightning's table: each action's calls, mean and total",
    .OfRun = buildSimple,
    .HasStageTables = true,
    .Groups = {Grouping::Key},
    .Phases = PhasesOfRanks::Sums,
};
} // namespace loopscope

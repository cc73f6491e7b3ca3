// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree view. A node's inclusive time is its self time plus the rows below
// it, "(profiler)" included, to the nanosecond; and the top rows add up to the
// thread's lifetime. For people, small rows "(profiler)" are left out.

#include "Analysis/Tree/PathTree.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Report/Print/Cells.h"
#include "Report/Views/AmountColumns.h"
#include "Report/Views/CpuColumns.h"
#include "Report/Views/EarlyEnds.h"
#include "Report/Views/GpuColumns.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace loopscope;

namespace {
const std::vector<Column> TextColumns = {
    {"name", "Phase", Style::Text},
    {"inclusive_s", "Total", Style::Time},
    {"self_s", "Self", Style::Time},
    {"calls", "Calls", Style::Integer},
    {"percent_parent", "Parent %", Style::Percent2, 1},
    {"percent_wall", "Wall %", Style::Percent2}};
const std::vector<Column> DataColumns = {{"depth", "Depth", Style::Integer},
                                         {"kind", "Kind", Style::Text},
                                         {"file", "File", Style::Text},
                                         {"line", "Line", Style::Integer},
                                         {"function", "Function", Style::Text}};

// With --by key.
const std::vector<Column> KeyColumns = {{"label", "Label", Style::Text},
                                        {"key", "Key", Style::Text}};
// In runs with waits.
const Column UsefulColumn = {"useful_s", "Useful", Style::Time, 2};

// People see the profiler's own cost from this part of the whole on, and self
// times from this part of their row's total on; what is below comes from
// rounding.
constexpr int64_t VisibleCost = 1000;
constexpr int64_t VisibleSelf = 1'000'000;

class TreeTables {
public:
  TreeTables(const Run &R, const GpuByNode &Gpu, PathTree Tree, bool IsData,
             bool HasAll, bool Cpu, Keys Of)
      : R(R), Gpu(Gpu), Tree(std::move(Tree)), IsData(IsData),
        HasAll(IsData || HasAll), Cpu(Cpu), Apart(Of == Keys::Apart),
        HasUseful(hasUsefulTime(R)), HasEarly(IsData && hasEarlyEnds(R)),
        Amounts(R, IsData) {}

  /// UNLAUNCHED: work whose launch is unknown gets a row and is included in the
  /// total.
  Table build(const char *WholeName, bool Unlaunched);

private:
  void addPath(const Path &Of, const Path &Parent);
  void addRow(Cell Name, const char *Kind, int64_t Ns, int64_t ParentNs,
              int Depth, Cell Self, Cell Calls, uint32_t Site, Cell Useful,
              const GpuSums &Sums = {}, const Path *Of = nullptr);
  void addRest(const Path &Of);
  Cell selfOf(const Path &Of) const;
  Cell callsOf(const Path &Of);
  void markOwn(int64_t Ns);

  const Run &R;
  const GpuByNode &Gpu;
  PathTree Tree;
  bool IsData;
  bool HasAll; ///< each row "(profiler)" and self time, however small
  bool Cpu;
  bool Apart; ///< keys have rows
  bool HasUseful;
  bool HasEarly; ///< the column of spans that were ended early
  AmountColumns Amounts;
  std::vector<std::string> WithoutCpu; ///< rows without such figures
  bool HasOff = false; ///< calls of some rows are those until a moment
  Table Result;
};
} // namespace

void TreeTables::addRow(Cell Name, const char *Kind, int64_t Ns,
                        int64_t ParentNs, int Depth, Cell Self, Cell Calls,
                        uint32_t Site, Cell Useful, const GpuSums &Sums,
                        const Path *Of) {
  Row Next;
  Next.Depth = Depth;
  Next.Cells = {std::move(Name),     duration(Ns),
                std::move(Self),     std::move(Calls),
                share(Ns, ParentNs), share(Ns, Tree[0].InclusiveNs)};
  if (IsData) {
    Next.Cells.push_back(count(static_cast<uint64_t>(Depth)));
    Next.Cells.push_back(text(Kind));
    bool HasSite = Site != None;
    Next.Cells.push_back(HasSite ? text(R.Sites[Site].File) : absent());
    Next.Cells.push_back(HasSite && R.Sites[Site].Line != 0
                             ? count(R.Sites[Site].Line)
                             : absent());
    Next.Cells.push_back(HasSite ? text(R.Sites[Site].Function) : absent());
    if (Apart) {
      bool HasKey = Of && Of->Key != None;
      Next.Cells.push_back(HasKey ? text(R.Keys[Of->Key].Label) : absent());
      Next.Cells.push_back(HasKey ? text(keyText(R.Keys[Of->Key])) : absent());
    }
  }
  if (Cpu)
    for (Cell &Each : Of ? cpuCells(Of->Cpu, Of->CountedNs) : noCpuCells())
      Next.Cells.push_back(std::move(Each));
  if (HasUseful)
    Next.Cells.push_back(std::move(Useful));
  if (HasEarly)
    Next.Cells.push_back(Of ? count(Of->EndedEarly) : absent());
  if (Of && !Of->Cpu.standFor(Of->CountedNs))
    WithoutCpu.push_back(Of->Name);
  if (Amounts.isUsed())
    for (Cell &Each :
         Of ? Amounts.cells(Of->Name, Of->Amounts, Gpu.busyNs(Of->Gpu))
            : Amounts.noCells())
      Next.Cells.push_back(std::move(Each));
  if (Gpu.hasData())
    for (Cell &Each : gpuCells(Gpu, Sums))
      Next.Cells.push_back(std::move(Each));
  Result.Rows.push_back(std::move(Next));
}

// Says how much of the row added last is in no other row.
void TreeTables::markOwn(int64_t Ns) {
  if (Tree[0].InclusiveNs > 0)
    Result.Rows.back().OwnPercent = static_cast<double>(Ns) * 100 /
                                    static_cast<double>(Tree[0].InclusiveNs);
}

// Adds the parts of a node that no call has. A node's self time has a column;
// the root has none.
void TreeTables::addRest(const Path &Of) {
  bool ShowCost = Of.HookNs > 0 &&
                  (HasAll || Of.HookNs >= Tree[0].InclusiveNs / VisibleCost);
  if (Of.Depth < 0 && Of.SelfNs > 0) {
    addRow(text("(unaccounted)"), "unaccounted", Of.SelfNs, Of.InclusiveNs,
           Of.Depth + 1, absent(" "), absent(" "), None, absent(" "));
    markOwn(Of.SelfNs);
  }
  if (Of.ExcludedNs > 0)
    addRow(text("(excluded steps)"), "excluded", Of.ExcludedNs, Of.InclusiveNs,
           Of.Depth + 1, absent(" "), absent(" "), None, absent(" "));
  if (ShowCost)
    addRow(text("(profiler)"), "profiler", Of.HookNs, Of.InclusiveNs,
           Of.Depth + 1, duration(IsData ? Of.HookNs : 0, IsData ? "" : " "),
           absent(" "), None, absent(" "));
}

Cell TreeTables::selfOf(const Path &Of) const {
  return duration(
      HasAll || Of.SelfNs >= Of.InclusiveNs / VisibleSelf ? Of.SelfNs : 0);
}

// A function's hooks may have been switched off.
Cell TreeTables::callsOf(const Path &Of) {
  Cell Result = count(Of.Calls);
  if (Of.Kind == LOOPSCOPE_KIND_FUNCTION && Of.Site != None &&
      R.Sites[Of.Site].OffSinceNs >= 0) {
    Result.Text = fmt::format("{}+", Of.Calls);
    HasOff = true;
  }
  return Result;
}

void TreeTables::addPath(const Path &Of, const Path &Parent) {
  // A filter only matches the name.
  addRow(IsData ? text(Of.Name) : pathName(R, Tree, Of, Parent),
         kindWord(Of.Kind), Of.InclusiveNs, Parent.InclusiveNs, Of.Depth,
         selfOf(Of), callsOf(Of), Of.Site,
         duration(Of.InclusiveNs - Of.UselessNs), Of.Gpu, &Of);
  markOwn(Of.SelfNs);
}

Table TreeTables::build(const char *WholeName, bool Unlaunched) {
  Result.Nests = true;
  Result.Columns = TextColumns;
  if (IsData)
    Result.Columns.insert(Result.Columns.end(), DataColumns.begin(),
                          DataColumns.end());
  if (IsData && Apart)
    Result.Columns.insert(Result.Columns.end(), KeyColumns.begin(),
                          KeyColumns.end());
  if (Cpu)
    for (Column &Each : cpuColumns(Style::Time, 2))
      Result.Columns.push_back(std::move(Each));
  if (HasUseful)
    Result.Columns.push_back(UsefulColumn);
  if (HasEarly)
    Result.Columns.push_back(EarlyEndsColumn);
  if (Amounts.isUsed())
    for (Column &Each : Amounts.columns())
      Result.Columns.push_back(std::move(Each));
  if (Gpu.hasData())
    for (unsigned Priority = 1; Column &Each : gpuColumns(Gpu, Style::Time)) {
      Each.Priority = Each.Key == "gpu_s" ? 0 : ++Priority;
      Result.Columns.push_back(std::move(Each));
    }
  const Path &Root = Tree[0];
  GpuSums All = Root.Gpu;
  if (Unlaunched)
    All.add(Gpu.unlaunched());
  addRow(text(WholeName), "total", Root.InclusiveNs, Root.InclusiveNs, 0,
         absent(" "), absent(" "), None,
         duration(Root.InclusiveNs - Root.UselessNs), All);
  Result.Rows.back().IsTotal = true;
  // Depth first, without recursion: a hostile tree may be deep.
  struct Frame {
    uint32_t Path;
    size_t Next;
  };
  std::vector<Frame> Way = {{0, 0}};
  while (!Way.empty()) {
    Frame &Top = Way.back();
    const Path &At = Tree[Top.Path];
    if (Top.Next == At.Children.size()) {
      addRest(At);
      Way.pop_back();
      continue;
    }
    uint32_t Child = At.Children[Top.Next++];
    addPath(Tree[Child], At);
    Way.push_back({Child, 0});
  }
  if (Unlaunched)
    addRow(text("(launch unknown)"), "gpu", 0, Root.InclusiveNs, 0, absent(" "),
           absent(" "), None, absent(" "), Gpu.unlaunched());
  if (Cpu && !IsData)
    Result.Notes = cpuNotes(WithoutCpu);
  if (HasOff)
    Result.Notes.push_back("N+ calls: counted until the function's hooks were "
                           "switched off; its later time is in its callers'");
  if (Amounts.isUsed())
    for (std::string &Note : Amounts.notes())
      Result.Notes.push_back(std::move(Note));
  for (std::string &Note : gpuNotes(Gpu))
    Result.Notes.push_back(std::move(Note));
  return std::move(Result);
}

namespace {
// "block: 12 keys (layer)", for each phase of THREADS that has keys. A range is
// a row of several.
std::vector<std::string> familyNotes(const Run &R,
                                     const std::vector<uint32_t> &Threads) {
  std::map<std::pair<std::string, std::string>, std::set<uint32_t>> KeysOf;
  for (const Node &N : R.Nodes)
    if (N.Key != None && std::count(Threads.begin(), Threads.end(), N.Thread))
      KeysOf[{R.nameOf(N), R.Keys[N.Key].Label}].insert(N.Key);
  std::vector<std::string> Result;
  for (const auto &[Phase, Found] : KeysOf) {
    bool HasRanges = std::any_of(Found.begin(), Found.end(), [&](uint32_t K) {
      return R.Keys[K].isRange();
    });
    Result.push_back(
        fmt::format("{}: {}{} ({}); --by key shows each", Phase.first,
                    counted(Found.size(), HasRanges ? "row" : "key"),
                    HasRanges ? " of keys" : "", Phase.second));
  }
  return Result;
}

Result<std::vector<Table>> build(const Run &R, const ViewOptions &Options) {
  Keys Of = Options.By == Grouping::Key ? Keys::Apart : Keys::Together;
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  bool HasAll = Options.Rows == size_t{0};
  bool Cpu = (IsData || Options.Stats) && hasCpu(R);
  std::vector<uint32_t> Main, Others;
  for (uint32_t T = 0; T < R.Threads.size(); ++T) {
    if (R.Threads[T].Root == None)
      continue;
    (R.Threads[T].IsMain ? Main : Others).push_back(T);
  }
  std::vector<Table> Tables;
  GpuByNode Gpu(R);
  auto Add = [&](const std::vector<uint32_t> &Threads, std::string Id,
                 std::string Title, const char *Whole) {
    bool Unlaunched = Tables.empty() && !Gpu.unlaunched().isEmpty();
    Table T = TreeTables(R, Gpu, mergeTrees(R, Threads, &Gpu, nullptr, Of),
                         IsData, HasAll, Cpu, Of)
                  .build(Whole, Unlaunched);
    if (!IsData && Of == Keys::Together)
      for (std::string &Note : familyNotes(R, Threads))
        T.Notes.push_back(std::move(Note));
    T.Where = {{"threads", Id}};
    T.Id = std::move(Id);
    T.Title = std::move(Title);
    Tables.push_back(std::move(T));
  };
  if (!Main.empty())
    Add(Main, "main", "Call-path tree, main thread", "wall time");
  uint64_t OtherThreads = 0;
  for (uint32_t T : Others)
    OtherThreads += R.Threads[T].Users;
  if (!Others.empty())
    Add(Others, "others",
        fmt::format("Call-path tree, {} other thread{}, times summed",
                    OtherThreads, OtherThreads == 1 ? "" : "s"),
        "lifetimes");
  return Tables;
}
} // namespace

namespace loopscope {
extern const View TreeView = {
    .Name = "tree",
    .Help = "call paths with total and self time, calls and shares",
    .OfRun = build,
    .Groups = {Grouping::Key},
    .HasFamilies = true,
    .Phases = PhasesOfRanks::Sums,
};
} // namespace loopscope

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call paths on the HTML page: what its tree, its icicle and every link to a
// call path show.

#include "Analysis/Samples/SampledProgram.h"
#include "Analysis/Tree/GpuSums.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Report/Html/HtmlParts.h"
#include "Report/Print/Cells.h"
#include "Report/Views/CpuColumns.h"
#include "Report/Views/GpuColumns.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
// Columns about what was measured are for programs, not for people.
bool isForPrograms(const Column &Of) {
  return Of.Key.find("measured") != std::string::npos;
}

// The least inclusive time of the longest MaxHtmlPaths paths. A path is never
// longer than its parent, so the result is still a tree.
int64_t leastPathNs(const PathTree &Tree) {
  if (Tree.size() <= MaxHtmlPaths)
    return INT64_MIN;
  std::vector<int64_t> Times;
  for (const Path &Each : Tree)
    Times.push_back(Each.InclusiveNs);
  auto Cut = Times.begin() + MaxHtmlPaths;
  std::nth_element(Times.begin(), Cut, Times.end(), std::greater<>());
  return *Cut + 1;
}

class TreeBuilder {
public:
  TreeBuilder(const Run &R, HtmlRun &Page)
      : R(R), Page(Page), Gpu(R), HasCpu(hasCpu(R)),
        HasUseful(hasUsefulTime(R)) {
    addColumns();
  }

  /// The page's node for each path of TREE.
  std::vector<uint32_t> addTree(const PathTree &Tree, const char *Name);

  const GpuByNode &gpu() const { return Gpu; }
  size_t leftOut() const { return LeftOut; }

private:
  void addColumns();
  void addColumn(Column Of, const char *Group = "");
  HtmlNode nodeOf(const Path &From, int64_t WholeNs) const;

  const Run &R;
  HtmlRun &Page;
  GpuByNode Gpu;
  bool HasCpu, HasUseful;
  size_t LeftOut = 0; // paths
};
} // namespace

void TreeBuilder::addColumn(Column Of, const char *Group) {
  Page.Columns.push_back({std::move(Of), Group});
}

void TreeBuilder::addColumns() {
  addColumn({"total", "Total", Style::Time});
  addColumn({"self", "Self", Style::Time});
  if (HasUseful)
    addColumn({"useful_s", "Useful", Style::Time});
  std::vector<Column> OfGpu = gpuColumns(Gpu, Style::Time);
  if (Gpu.hasData())
    addColumn(OfGpu.front());
  addColumn({"calls", "Calls", Style::Integer});
  addColumn({"mean", "Mean", Style::Time});
  addColumn({"p50", "p50", Style::Time});
  addColumn({"p95", "p95", Style::Time});
  addColumn({"percent", "Share", Style::Percent2});
  addColumn({"place", "Where", Style::Text});
  if (HasCpu)
    for (Column &Each : cpuColumns(Style::Time, 0))
      if (!isForPrograms(Each))
        addColumn(std::move(Each), "processor");
  if (Gpu.hasData())
    for (size_t I = 1; I < OfGpu.size(); ++I)
      addColumn(OfGpu[I], "GPU");
}

HtmlNode TreeBuilder::nodeOf(const Path &From, int64_t WholeNs) const {
  HtmlNode Node;
  Node.Name = From.Name;
  Node.Kind = From.Kind;
  Node.Ns = From.InclusiveNs;
  Node.SelfNs = From.SelfNs;
  Node.Calls = From.Calls;
  if (From.Site != None) {
    const Site &Of = R.Sites[From.Site];
    Node.Path = Of.File;
    Node.Line = Of.Line;
  }
  bool HasSpans = From.Spans.count() != 0;
  auto Percentile = [&](double Fraction) {
    return HasSpans ? duration(static_cast<int64_t>(
                          From.Spans.percentileNs(Fraction)))
                    : absent();
  };
  std::vector<Cell> &Cells = Node.Cells;
  Cells = {duration(From.InclusiveNs), duration(From.SelfNs)};
  if (HasUseful)
    Cells.push_back(duration(From.InclusiveNs - From.UselessNs));
  std::vector<Cell> OfGpu = gpuCells(Gpu, From.Gpu);
  if (Gpu.hasData()) {
    Node.GpuNs = Gpu.busyNs(From.Gpu);
    Cells.push_back(OfGpu.front());
  }
  Cells.push_back(From.Kind == LOOPSCOPE_KIND_ROOT ? absent()
                                                   : count(From.Calls));
  Cells.push_back(HasSpans ? duration(static_cast<int64_t>(From.Spans.meanNs()))
                           : absent());
  Cells.push_back(Percentile(0.5));
  Cells.push_back(Percentile(0.95));
  Cells.push_back(share(From.InclusiveNs, WholeNs));
  Cells.push_back(absent(""));
  if (HasCpu) {
    std::vector<Column> Columns = cpuColumns(Style::Time, 0);
    std::vector<Cell> OfCpu = From.Kind == LOOPSCOPE_KIND_ROOT
                                  ? noCpuCells()
                                  : cpuCells(From.Cpu, From.CountedNs);
    for (size_t I = 0; I < OfCpu.size(); ++I)
      if (!isForPrograms(Columns[I]))
        Cells.push_back(OfCpu[I]);
  }
  if (Gpu.hasData())
    Cells.insert(Cells.end(), OfGpu.begin() + 1, OfGpu.end());
  for (const Bucket &B : From.Spans.distribution())
    Node.Histogram.emplace_back(static_cast<int64_t>(B.ns()), B.Count);
  return Node;
}

std::vector<uint32_t> TreeBuilder::addTree(const PathTree &Tree,
                                           const char *Name) {
  std::vector<uint32_t> Shown(Tree.size(), None);
  int64_t Least = leastPathNs(Tree);
  // Depth first, without recursion: a hostile tree may be deep.
  std::vector<uint32_t> Open = {0};
  std::vector<uint32_t> ParentOf(Tree.size(), None);
  while (!Open.empty()) {
    uint32_t At = Open.back();
    Open.pop_back();
    const Path &Each = Tree[At];
    uint32_t Above = ParentOf[At] == None ? None : Shown[ParentOf[At]];
    bool IsShown = At == 0 || Each.InclusiveNs >= Least;
    if (IsShown) {
      HtmlNode Node = nodeOf(Each, Tree[0].InclusiveNs);
      Node.Parent = Above;
      if (At == 0)
        Node.Name = Name;
      Shown[At] = static_cast<uint32_t>(Page.Nodes.size());
      Page.Nodes.push_back(std::move(Node));
    } else {
      Shown[At] = Above;
      ++LeftOut;
    }
    for (size_t I = Each.Children.size(); I-- > 0;) {
      ParentOf[Each.Children[I]] = At;
      Open.push_back(Each.Children[I]);
    }
  }
  return Shown;
}

static bool hasLoop(const PathTree &Tree) {
  return std::any_of(Tree.begin(), Tree.end(), [](const Path &Each) {
    return Each.Kind == LOOPSCOPE_KIND_TRAIN ||
           Each.Kind == LOOPSCOPE_KIND_VALID;
  });
}

HtmlPaths loopscope::addCallPaths(const Run &R, HtmlRun &Page) {
  std::set<std::string> Waits;
  for (const Node &N : R.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_WAIT)
      Waits.insert(treeName(R, N));
  Page.Waits.assign(Waits.begin(), Waits.end());
  TreeBuilder Trees(R, Page);
  HtmlPaths Result;
  Result.Shown.assign(R.Nodes.size(), None);
  for (bool Main : {true, false}) {
    std::vector<uint32_t> Threads;
    for (uint32_t I = 0; I < R.Threads.size(); ++I)
      if (R.Threads[I].IsMain == Main && R.Threads[I].Root != None)
        Threads.push_back(I);
    std::vector<uint32_t> PathOf;
    PathTree Tree = mergeTrees(R, Threads, &Trees.gpu(), &PathOf);
    std::vector<uint32_t> Shown(Tree.size(), None);
    // Samples need a call path to be below.
    if (Main && hasSamplesOnly(R))
      Shown = Trees.addTree(Tree, "all threads");
    else if (!Tree[0].Children.empty())
      Shown = Trees.addTree(Tree, Main ? "main thread" : "other threads");
    for (size_t I = 0; I < PathOf.size(); ++I)
      if (PathOf[I] != None)
        Result.Shown[I] = Shown[PathOf[I]];
    // The loops may run on other threads.
    if (!Main && (hasLoop(Result.Main) || !hasLoop(Tree)))
      continue;
    Result.Main = std::move(Tree);
    Result.PathOfMain = std::move(PathOf);
    Result.ShownMain = std::move(Shown);
  }
  Page.TreeNotes = gpuNotes(Trees.gpu());
  if (Trees.leftOut() != 0)
    Page.TreeNotes.push_back(fmt::format(
        "{} with the least time are not on this page; their time is part "
        "of the paths above them. `loopscope report --view tree` prints them.",
        counted(Trees.leftOut(), "call path")));
  return Result;
}

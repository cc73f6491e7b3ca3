// Call paths and tables for the HTML page.
#include "Report/HtmlParts.h"

#include "Report/Kernels.h"
#include "Report/Numbers.h"
#include "Report/PathTree.h"
#include "Report/TableOptions.h"
#include "Report/ViewNames.h"
#include "Report/Views.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// Slices that can still be told apart.
constexpr size_t PieSlices = 12;

// The inclusive time from which on a path belongs to the longest MaxHtmlPaths.
// A path is never longer than the one above it, so what stays is a tree.
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

// TREE's path AT with all below it that takes LEAST ns. Recursion depth is the
// tree's, which the runtime bounds and the reader has checked.
HtmlNode htmlNode(const PathTree &Tree, uint32_t At, int64_t Least) {
  const Path &From = Tree[At];
  HtmlNode Node;
  Node.Name = From.Name;
  Node.Seconds = toSeconds(From.InclusiveNs);
  Node.Self = toSeconds(From.SelfNs);
  Node.Calls = From.Calls;
  for (const Bucket &B : From.Spans.distribution())
    Node.Histogram.emplace_back(B.Ns / NsPerSecond, B.Count);
  for (uint32_t Child : From.Children)
    if (Tree[Child].InclusiveNs >= Least)
      Node.Children.push_back(htmlNode(Tree, Child, Least));
  return Node;
}

void addTree(const Profile &P, bool Main, const char *Name, HtmlRun &Run) {
  std::vector<uint32_t> Threads;
  for (uint32_t I = 0; I < P.Threads.size(); ++I)
    if (P.Threads[I].IsMain == Main)
      Threads.push_back(I);
  if (Threads.empty())
    return;
  PathTree Tree = mergeTrees(P, Threads);
  if (Tree.empty() || Tree[0].Children.empty())
    return;
  Run.Tree.push_back(htmlNode(Tree, 0, leastPathNs(Tree)));
  Run.Tree.back().Name = Name;
}
} // namespace

void loopscope::addCallPaths(const Profile &P, HtmlRun &Run) {
  addTree(P, true, "main thread", Run);
  addTree(P, false, "other threads", Run);
}

void loopscope::addTables(View Which, std::vector<Table> Tables, HtmlRun &Run) {
  if (Tables.empty())
    return;
  for (Table &T : Tables)
    limitRows(T, MaxHtmlRows);
  Run.Views.emplace_back(viewName(Which), std::move(Tables));
}

void loopscope::addView(const Profile &P, View Which, ViewOptions Options,
                        HtmlRun &Run) {
  Options.Stats = true;
  if (Result<Section> S = buildSection(P, Which, Options))
    addTables(Which, std::move(S->Tables), Run);
}

void loopscope::addPie(const std::vector<KernelRow> &Kernels, HtmlRun &Run) {
  int64_t Others = 0;
  for (size_t I = 0; I < Kernels.size(); ++I)
    if (I < PieSlices)
      Run.Pie.emplace_back(kernelName(Kernels[I].Name),
                           toSeconds(Kernels[I].Total));
    else
      Others = saturatingAdd(Others, Kernels[I].Total);
  if (Others > 0)
    Run.Pie.emplace_back(
        fmt::format("{} other kernels", Kernels.size() - PieSlices),
        toSeconds(Others));
}

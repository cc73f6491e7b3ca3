// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call paths and tables for the HTML page.

#include "Report/Html/HtmlParts.h"

#include "Analysis/KernelRows.h"
#include "Analysis/PathTree.h"
#include "Report/Views/TableOptions.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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

void addTree(const Run &P, bool Main, const char *Name, HtmlRun &Page) {
  std::vector<uint32_t> Threads;
  for (uint32_t I = 0; I < P.Threads.size(); ++I)
    if (P.Threads[I].IsMain == Main)
      Threads.push_back(I);
  if (Threads.empty())
    return;
  PathTree Tree = mergeTrees(P, Threads);
  if (Tree.empty() || Tree[0].Children.empty())
    return;
  Page.Tree.push_back(htmlNode(Tree, 0, leastPathNs(Tree)));
  Page.Tree.back().Name = Name;
}
} // namespace

void loopscope::addCallPaths(const Run &P, HtmlRun &Page) {
  std::set<std::string> Waits;
  for (const Node &N : P.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_WAIT)
      Waits.insert(treeName(P, N));
  Page.Waits.assign(Waits.begin(), Waits.end());
  addTree(P, true, "main thread", Page);
  addTree(P, false, "other threads", Page);
}

void loopscope::addTables(const View &Which, std::vector<Table> Tables,
                          HtmlRun &Page) {
  if (Tables.empty())
    return;
  for (Table &T : Tables)
    limitRows(T, MaxHtmlRows);
  Page.Views.emplace_back(Which.Name, std::move(Tables));
}

void loopscope::addPie(const std::vector<KernelRow> &Kernels, HtmlRun &Page) {
  int64_t Others = 0;
  for (size_t I = 0; I < Kernels.size(); ++I)
    if (I < PieSlices)
      Page.Pie.emplace_back(kernelName(Kernels[I].Name),
                            toSeconds(Kernels[I].Total));
    else
      Others = saturatingAdd(Others, Kernels[I].Total);
  if (Others > 0)
    Page.Pie.emplace_back(
        fmt::format("{} other kernels", Kernels.size() - PieSlices),
        toSeconds(Others));
}

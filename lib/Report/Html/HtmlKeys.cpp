// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of phases, for the page: their strips in the tree, and what each of
// them did.

#include "Analysis/Steps/KeyTimes.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/KeyFamilies.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Html/HtmlParts.h"
#include "Support/Median.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace loopscope;

namespace {
using Value = std::optional<int64_t>; // ns

Value meanOf(const Moments &Of) {
  return Of.count() == 0 ? Value() : std::llround(Of.meanNs());
}

// What keys are compared by. The tree has the same figures.
struct Measure {
  const char *Key;
  const char *Header;
  bool IsGpu;
  Value (*Of)(const GpuByNode &, const KeySums &);
};

// The first that a family has is its strip's.
const Measure Measures[] = {
    {"gpu_mean", "GPU mean", true,
     [](const GpuByNode &Gpu, const KeySums &Of) {
       uint64_t Calls = Of.Spans.count();
       return Calls == 0
                  ? Value()
                  : std::llround(static_cast<double>(Gpu.busyNs(Of.Gpu)) /
                                 static_cast<double>(Calls));
     }},
    {"mean", "Mean", false,
     [](const GpuByNode &, const KeySums &Of) { return meanOf(Of.Spans); }},
    {"gpu_total", "GPU total", true,
     [](const GpuByNode &Gpu, const KeySums &Of) {
       return Value(Gpu.busyNs(Of.Gpu));
     }},
    {"total", "Total", false,
     [](const GpuByNode &, const KeySums &Of) {
       return Value(Of.InclusiveNs);
     }},
};

Value medianOf(const std::vector<Value> &Values) {
  std::vector<int64_t> Known;
  for (const Value &Each : Values)
    if (Each)
      Known.push_back(*Each);
  return Known.empty() ? Value() : lowerMedian(std::move(Known));
}

// The key that the verdict names, where it is slow on this call path, too: the
// verdict is about all of them.
uint32_t oddKey(const GpuByNode &Gpu, const KeyFamily &Of,
                const KeyNote &Note) {
  const Measure *By = std::ranges::find(Measures, Note.IsGpu, &Measure::IsGpu);
  std::vector<Value> Means;
  for (const KeySums &Each : Of.Keys)
    Means.push_back(By->Of(Gpu, Each));
  auto Median = static_cast<double>(medianOf(Means).value_or(0));
  for (uint32_t I = 0; I < Of.Keys.size(); ++I)
    if (Of.Keys[I].Key == Note.Key && Means[I] &&
        static_cast<double>(*Means[I]) >= KeyLonger * Median)
      return I;
  return None;
}

HtmlFamily familyOf(const Run &R, const GpuByNode &Gpu, const KeyFamily &From,
                    const std::vector<KeyNote> &Notes) {
  HtmlFamily To;
  To.Node = From.Group;
  To.Label = R.Keys[From.Keys.front().Key].Label;
  bool HasGpu = std::ranges::any_of(
      From.Keys, [&](const KeySums &Each) { return Gpu.busyNs(Each.Gpu) > 0; });
  for (const KeySums &Each : From.Keys) {
    HtmlKey Next{keyText(R.Keys[Each.Key]), Each.Spans.count(), {}, {}, {}};
    if (Next.Calls != 0) {
      Next.P50Ns = std::llround(Each.Spans.percentileNs(0.5));
      Next.P95Ns = std::llround(Each.Spans.percentileNs(0.95));
    }
    for (const Bucket &B : Each.Spans.distribution())
      Next.Histogram.emplace_back(static_cast<int64_t>(B.ns()), B.Count);
    To.Keys.push_back(std::move(Next));
  }
  for (const Measure &Each : Measures) {
    if (Each.IsGpu && !HasGpu)
      continue;
    HtmlFamily::Measure Next{Each.Key, Each.Header, {}, {}};
    for (const KeySums &Of : From.Keys)
      Next.Ns.push_back(Each.Of(Gpu, Of));
    Next.MedianNs = medianOf(Next.Ns);
    To.Measures.push_back(std::move(Next));
  }
  To.Strip = keyCells(To.Measures.front().Ns, MaxHtmlKeyCells);
  for (const KeyNote &Each : Notes)
    if (Each.Site == From.Site) {
      To.Note = Each.Text;
      To.Odd = oddKey(Gpu, From, Each);
    }
  return To;
}

// Why there are no single spans, and what has them.
std::string noTimesText(const Run &R) {
  if (!R.By->TakesWords)
    return "Merged traces have no timeline in common; the page of one has it.";
  if (R.Mode != LOOPSCOPE_MODE_TRACE)
    return "`LOOPSCOPE=trace` records when each call ran.";
  return "This page has no timeline; the page of a single run has it, if its "
         "file kept one.";
}
} // namespace

std::vector<KeyFamily>
loopscope::addFamilies(const Run &R, const HtmlPaths &Paths, HtmlRun &Page) {
  std::vector<KeyFamily> Result;
  if (std::ranges::all_of(R.Nodes, [](const Node &N) { return N.Key == None; }))
    return Result;
  // A path that isn't on the page counts towards the one above it.
  std::vector<uint32_t> GroupOf = Paths.Shown;
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    if (uint32_t Above = R.Nodes[I].Parent;
        Above != None && Paths.Shown[Above] == Paths.Shown[I])
      GroupOf[I] = None;
  GpuByNode Gpu(R);
  std::vector<KeyFamily> All = keyFamilies(R, GroupOf, &Gpu);
  std::ranges::stable_sort(All, std::greater<>(), &KeyFamily::inclusiveNs);
  std::vector<KeyNote> Notes = keyNotes(R);
  size_t Room = MaxHtmlKeys;
  for (KeyFamily &Each : All) {
    if (Each.Keys.size() > Room)
      continue;
    Room -= Each.Keys.size();
    Page.Families.push_back(familyOf(R, Gpu, Each, Notes));
    Result.push_back(std::move(Each));
  }
  if (size_t Left = All.size() - Result.size(); Left != 0)
    Page.TreeNotes.push_back(fmt::format(
        "The keys of {} are not on this page, which has at most {}; `loopscope "
        "report --view tree --by key` prints them.",
        counted(Left, "call path"), MaxHtmlKeys));
  return Result;
}

void loopscope::addKeyTimes(const Run &R,
                            const std::vector<KeyFamily> &Families,
                            HtmlRun &Page) {
  size_t Keys = 0;
  for (const KeyFamily &Each : Families)
    Keys += Each.Keys.size();
  const HtmlTimeline &On = Page.Timeline;
  if (Keys == 0)
    return;
  if (On.ToNs <= On.FromNs) {
    Page.KeyTimesMissing = noTimesText(R);
    return;
  }
  Page.KeyGrid = {On.FromNs, On.ToNs,
                  std::clamp<size_t>(MaxHtmlKeyTimes / Keys, 20, 100)};
  CellGrid Recorded = Page.KeyGrid;
  Recorded.FromNs += On.BaseNs;
  Recorded.ToNs += On.BaseNs;
  std::vector<KeyTimes> Times = keyTimes(R, Families, Recorded);
  for (size_t I = 0; I < Times.size(); ++I)
    Page.Families[I].Times = std::move(Times[I]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run over time, for the page: the curves of the history view.

#include "Analysis/Device/MemoryOfSteps.h"
#include "Report/Html/HtmlJson.h"
#include "Report/Html/HtmlParts.h"
#include "Run/Model/Metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace loopscope;
using nlohmann::ordered_json;

namespace {
// Phases of a loop: more colours than that can't be told apart.
constexpr size_t MostCurves = 12;

ordered_json known(std::optional<double> Ns) {
  return Ns ? ordered_json(std::llround(*Ns)) : ordered_json(nullptr);
}

// As many digits as the page shows; null for what isn't a number.
ordered_json figures(const std::vector<double> &Values) {
  ordered_json Result = ordered_json::array();
  for (double Each : Values)
    Result.push_back(std::isnan(Each)
                         ? ordered_json(nullptr)
                         : ordered_json::parse(fmt::format("{:.6g}", Each)));
  return Result;
}

// [bucket, count] of those that have steps.
ordered_json bucketsJson(const HistorySteps &Of) {
  ordered_json Result = ordered_json::array();
  for (size_t I = 0; I < Of.Buckets.size(); ++I)
    if (Of.Buckets[I] != 0)
      Result.push_back({I, Of.Buckets[I]});
  return Result;
}

ordered_json loopJson(const LoopCurve &Of) {
  ordered_json P50 = ordered_json::array();
  ordered_json P95 = ordered_json::array();
  ordered_json Longest = ordered_json::array();
  ordered_json Steps = ordered_json::array();
  ordered_json Samples = ordered_json::array();
  ordered_json Buckets = ordered_json::array();
  for (size_t I = 0; I < Of.Steps.size(); ++I) {
    Steps.push_back(Of.Steps[I].Steps);
    Samples.push_back(Of.Steps[I].Samples);
    Buckets.push_back(bucketsJson(Of.Steps[I]));
    P50.push_back(known(Of.quantileNs(Of.Steps[I], 0.5)));
    P95.push_back(known(Of.quantileNs(Of.Steps[I], 0.95)));
    double Most = Of.Steps[I].LongestNs;
    Longest.push_back(known(Most > 0 ? std::optional(Most) : std::nullopt));
  }
  return {{"name", Of.Name},
          {"unit", Of.HasSamples ? "samples/s" : "steps/s"},
          {"rates", figures(Of.Rates)},
          {"p50", std::move(P50)},
          {"p95", std::move(P95)},
          {"longest", std::move(Longest)},
          {"steps", std::move(Steps)},
          {"samples", std::move(Samples)},
          {"whole",
           {{"p50", known(Of.Spans.percentileNs(0.5))},
            {"p95", known(Of.Spans.percentileNs(0.95))}}},
          {"ns", Of.StepNs},
          {"edges", Of.EdgesNs},
          {"buckets", std::move(Buckets)}};
}

ordered_json gaugeJson(const HistoryCurves &Of, size_t Gauge) {
  const MetricKind &Kind = *findMetricKind(historyMetric(Gauge));
  ordered_json Means = ordered_json::array();
  bool Any = false;
  for (const HistoryBin &Each : Of.Bins) {
    const HistoryGauge &Its = Each.Gauges[Gauge];
    Any |= Its.Samples != 0;
    Means.push_back(Its.Samples == 0 ? ordered_json(nullptr)
                                     : ordered_json(Its.Mean / Kind.Scale));
  }
  return Any ? ordered_json{{"name", Kind.Noun},
                            {"unit", Kind.Symbol},
                            {"values", std::move(Means)}}
             : ordered_json();
}

// The means of VALUE in the page's bins, by the middles of its own.
std::vector<double> meansOf(const RunValue &Value,
                            const std::vector<HistoryBin> &Bins) {
  std::vector<ToldNumbers> In(Bins.size());
  for (const RunValue::Bin &Each : Value.Bins) {
    int64_t Middle = Each.FromNs + (Each.ToNs - Each.FromNs) / 2;
    auto Bin = std::ranges::lower_bound(Bins, Middle, {}, &HistoryBin::ToNs);
    if (Bin != Bins.end())
      In[static_cast<size_t>(Bin - Bins.begin())].add(Each.Of);
  }
  std::vector<double> Means;
  for (const ToldNumbers &Each : In)
    Means.push_back(Each.Count == 0 ? std::nan("") : Each.mean());
  return Means;
}

// What the program held at most in each bin.
void addMemoryCurves(const Run &Of, HtmlRun &Page) {
  constexpr double MiB = 1 << 20;
  std::vector<int64_t> Ends;
  for (const HistoryBin &Each : Page.Curves->Bins)
    Ends.push_back(saturatingAdd(Each.ToNs, timesBeginAt(Of)));
  for (const MemoryLane &Lane : Of.MemoryOverTime) {
    HtmlCurve Next{"memory held: " + laneName(Lane), "MiB",
                   heldUpTo(Lane, Ends)};
    for (double &Each : Next.Values)
      Each /= MiB;
    Page.MoreCurves.push_back(std::move(Next));
  }
}
} // namespace

void loopscope::addCurves(const Run &Of, const HtmlPaths &Paths,
                          HtmlRun &Page) {
  Result<HistoryCurves> Curves =
      historyCurves(Of, MostCurves, CurveBins::WithSteps);
  // One bin is a number, not a curve.
  if (!Curves || Curves->Bins.size() < 2)
    return;
  Page.Curves = std::move(*Curves);
  for (const PartCurve &Each : Page.Curves->Parts)
    Page.CurveNodes.push_back(
        Each.Nodes.empty() ? None : Paths.Shown[Each.Nodes.front()]);
  // The drawing begins at 0.
  for (const RunValue &Each : Of.Values)
    if (Each.All.Count != 0 && Each.All.Min >= 0)
      Page.MoreCurves.push_back(
          {Each.Process.empty()
               ? Each.Name
               : fmt::format("{} ({})", Each.Name, Each.Process),
           "", meansOf(Each, Page.Curves->Bins)});
  addMemoryCurves(Of, Page);
}

ordered_json loopscope::historyJson(const HtmlRun &Page) {
  if (!Page.Curves)
    return nullptr;
  const HistoryCurves &Of = *Page.Curves;
  ordered_json Ends = ordered_json::array();
  for (const HistoryBin &Each : Of.Bins)
    Ends.push_back(Each.ToNs);
  ordered_json Loops = ordered_json::array();
  for (const LoopCurve &Each : Of.Loops)
    Loops.push_back(loopJson(Each));
  ordered_json Parts = ordered_json::array();
  for (size_t I = 0; I < Of.Parts.size(); ++I) {
    const PartCurve &Each = Of.Parts[I];
    uint32_t Node = Page.CurveNodes[I];
    Parts.push_back(
        {{"name", Each.Name},
         {"use", keyOf(Each.Use)},
         {"loop", Each.Loop == SIZE_MAX ? ordered_json(nullptr)
                                        : ordered_json(Each.Loop)},
         {"node", Node == None ? ordered_json(nullptr) : ordered_json(Node)},
         {"ns", Each.Ns},
         {"shares", figures(Each.Shares)}});
  }
  ordered_json Gauges = ordered_json::array();
  for (size_t G = 0; G < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++G)
    if (ordered_json Next = gaugeJson(Of, G); !Next.is_null())
      Gauges.push_back(std::move(Next));
  for (const auto &[Name, Unit, Values] : Page.MoreCurves)
    Gauges.push_back(
        {{"name", Name}, {"unit", Unit}, {"values", figures(Values)}});
  return {{"ends", std::move(Ends)},
          {"processes", Of.Processes},
          {"timeline", Page.HasTimesOfRun && Of.Processes == 1},
          {"loops", std::move(Loops)},
          {"parts", std::move(Parts)},
          {"gauges", std::move(Gauges)}};
}

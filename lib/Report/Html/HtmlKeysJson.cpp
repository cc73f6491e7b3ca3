// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of phases as JSON: what page/strip.js and page/keys.js read.

#include "Report/Html/HtmlJson.h"

#include <optional>
#include <utility>

using namespace loopscope;
using nlohmann::ordered_json;

namespace {
ordered_json valueJson(const std::optional<int64_t> &Of) {
  return Of ? ordered_json(*Of) : ordered_json(nullptr);
}

// [cell, spans, ns, longest]
ordered_json cellsJson(const std::vector<KeyTimeCell> &Of) {
  ordered_json Result = ordered_json::array();
  for (const KeyTimeCell &Each : Of)
    Result.push_back({Each.Cell, Each.Spans, Each.Ns, Each.LongestNs});
  return Result;
}

ordered_json timesJson(const HtmlFamily &Of, const CellGrid &Grid) {
  if (Of.Times.spans() == 0)
    return nullptr;
  ordered_json Keys = ordered_json::array();
  for (const std::vector<KeyTimeCell> &Each : Of.Times.OfKey)
    Keys.push_back(cellsJson(Each));
  return {{"from", Grid.FromNs},
          {"to", Grid.ToNs},
          {"cells", Grid.Count},
          {"all", cellsJson(Of.Times.All)},
          {"keys", std::move(Keys)}};
}

ordered_json familyJson(const HtmlFamily &Of, const HtmlRun &Page) {
  ordered_json Keys = ordered_json::array();
  for (const HtmlKey &Each : Of.Keys)
    Keys.push_back({Each.Text, Each.Calls, valueJson(Each.P50Ns),
                    valueJson(Each.P95Ns), Each.Histogram});
  ordered_json All = ordered_json::array();
  for (const HtmlFamily::Measure &Each : Of.Measures) {
    ordered_json Ns = ordered_json::array();
    for (const std::optional<int64_t> &Value : Each.Ns)
      Ns.push_back(valueJson(Value));
    All.push_back({{"key", Each.Key},
                   {"header", Each.Header},
                   {"median", valueJson(Each.MedianNs)},
                   {"ns", std::move(Ns)}});
  }
  ordered_json Strip = ordered_json::array();
  for (const KeyCell &Each : Of.Strip)
    Strip.push_back({Each.First, Each.Count, Each.Most});
  return {
      {"node", Of.Node},
      {"label", Of.Label},
      {"odd", Of.Odd == None ? ordered_json(nullptr) : ordered_json(Of.Odd)},
      {"note", Of.Note},
      {"keys", std::move(Keys)},
      {"measures", std::move(All)},
      {"strip", std::move(Strip)},
      {"times", timesJson(Of, Page.KeyGrid)}};
}
} // namespace

ordered_json loopscope::familiesJson(const HtmlRun &Page) {
  ordered_json Result = ordered_json::array();
  for (const HtmlFamily &Each : Page.Families)
    Result.push_back(familyJson(Each, Page));
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts HtmlRun to JSON. What there is much of (call paths, spans, cells)
// becomes arrays.

#include "Report/Html/HtmlJson.h"

#include "Report/Print/Printers.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <cmath>
#include <map>

using namespace loopscope;
using nlohmann::ordered_json;

ordered_json loopscope::indexJson(uint32_t Index) {
  return Index == None ? ordered_json(nullptr) : ordered_json(Index);
}

namespace {
ordered_json cellValue(const Cell &C) {
  struct Visitor {
    ordered_json operator()(std::monostate) const { return nullptr; }
    ordered_json operator()(int64_t V) const { return V; }
    ordered_json operator()(double V) const {
      return std::isfinite(V) ? ordered_json(V) : ordered_json(nullptr);
    }
    ordered_json operator()(Nanoseconds V) const { return toSeconds(V.Count); }
    ordered_json operator()(const std::string &V) const { return V; }
    // The page draws a timeline of its own.
    ordered_json operator()(const Bar &) const { return nullptr; }
    ordered_json operator()(const Curve &) const { return nullptr; }
  };
  return std::visit(Visitor{}, C.Value);
}

// A text alone, or [value, text]: most of a large page is cells.
ordered_json cellJson(const Cell &C, const Column &Under) {
  std::string Text = cellText(C, Under);
  if (std::holds_alternative<std::string>(C.Value) && C.Text.empty())
    return Text;
  return {cellValue(C), std::move(Text)};
}

// For a call path: the bare value, which the page prints in its column's style,
// plus its text if that says more. Durations are nanoseconds.
ordered_json valueJson(const Cell &C) {
  if (std::holds_alternative<std::monostate>(C.Value))
    return nullptr;
  const auto *Time = std::get_if<Nanoseconds>(&C.Value);
  ordered_json Value = Time ? ordered_json(Time->Count) : cellValue(C);
  if (C.Text.empty() || C.Text == "-")
    return Value;
  return {std::move(Value), C.Text};
}

const char *styleName(Style Of) {
  switch (Of) {
  case Style::Duration:
  case Style::Time:
    return "time";
  case Style::Percent:
  case Style::Percent2:
    return "percent";
  case Style::Text:
    return "text";
  default:
    return "number";
  }
}

ordered_json nodesJson(const HtmlRun &R) {
  ordered_json Columns = ordered_json::array();
  for (const HtmlColumn &Each : R.Columns)
    Columns.push_back({{"key", Each.Of.Key},
                       {"header", Each.Of.Header},
                       {"style", styleName(Each.Of.Format)},
                       {"group", Each.Group}});
  ordered_json Nodes = ordered_json::array();
  ordered_json Files = ordered_json::array();
  std::map<std::string, size_t> FileOf;
  for (const HtmlNode &N : R.Nodes) {
    ordered_json Cells = ordered_json::array();
    for (const Cell &Each : N.Cells)
      Cells.push_back(valueJson(Each));
    ordered_json File = nullptr;
    if (!N.Path.empty()) {
      auto [At, New] = FileOf.try_emplace(N.Path, FileOf.size());
      if (New)
        Files.push_back(N.Path);
      File = At->second;
    }
    Nodes.push_back({N.Name, indexJson(N.Parent), kindWord(N.Kind),
                     std::move(File), N.Line, std::move(Cells), N.Histogram});
  }
  return {{"columns", std::move(Columns)},      {"files", std::move(Files)},
          {"nodes", std::move(Nodes)},          {"families", familiesJson(R)},
          {"times_missing", R.KeyTimesMissing}, {"notes", R.TreeNotes}};
}

ordered_json findingJson(const HtmlFinding &Of) {
  ordered_json Result = {{"text", Of.Text}};
  if (Of.SavesNs >= 0)
    Result["saves"] = Of.SavesNs;
  if (!Of.Rows.empty())
    Result["rows"] = Of.Rows;
  if (Of.Evidence.Node != None)
    Result["node"] = Of.Evidence.Node;
  if (Of.Evidence.Key != None)
    Result["key"] = Of.Evidence.Key;
  if (!Of.Evidence.View.empty()) {
    Result["view"] = Of.Evidence.View;
    Result["filter"] = Of.Evidence.Filter;
  }
  return Result;
}

ordered_json splitJson(const HtmlSplit &Of) {
  if (Of.Parts.empty())
    return nullptr;
  ordered_json Parts = ordered_json::array();
  for (const HtmlPart &Each : Of.Parts)
    Parts.push_back(
        {{"name", Each.Name}, {"node", indexJson(Each.Node)}, {"ns", Each.Ns}});
  return {{"title", Of.Title},
          {"node", indexJson(Of.Node)},
          {"parts", std::move(Parts)}};
}

ordered_json stepJson(const HtmlSteps::Step &Of) {
  return {Of.Name,
          Of.StartNs < 0 ? ordered_json(nullptr) : ordered_json(Of.StartNs),
          Of.Ns};
}

ordered_json stepsJson(const HtmlSteps &Of) {
  if (Of.Steps.empty())
    return nullptr;
  ordered_json Steps = ordered_json::array();
  ordered_json Parts = ordered_json::array();
  ordered_json Slowest = ordered_json::array();
  for (const HtmlSteps::Step &Each : Of.Steps)
    Steps.push_back(stepJson(Each));
  for (const HtmlSteps::Part &Each : Of.Parts)
    Parts.push_back({{"name", Each.Name},
                     {"node", indexJson(Each.Node)},
                     {"mean", std::llround(Each.MeanNs)},
                     {"ns", Each.Ns}});
  for (const HtmlSteps::Slow &Each : Of.Slowest)
    Slowest.push_back({{"step", stepJson(Each.Which)},
                       {"part", Each.Part},
                       {"node", indexJson(Each.Node)},
                       {"above", Each.AboveNs}});
  return {{"node", indexJson(Of.Node)},   {"hidden", Of.Hidden},
          {"unread", Of.Unread},          {"mean", std::llround(Of.MeanNs)},
          {"steps", std::move(Steps)},    {"parts", std::move(Parts)},
          {"slowest", std::move(Slowest)}};
}

// A view's name on its tab.
std::string viewTitle(const std::string &Name) {
  if (Name == "whatif")
    return "What-if";
  std::string Title = Name;
  if (!Title.empty() && Title[0] >= 'a' && Title[0] <= 'z')
    Title[0] = static_cast<char>(Title[0] - 'a' + 'A');
  return Title;
}

ordered_json viewsJson(const std::vector<HtmlView> &Of) {
  ordered_json Views = ordered_json::array();
  for (const auto &[Name, Tables] : Of) {
    ordered_json List = ordered_json::array();
    for (const Table &T : Tables)
      List.push_back(tableJson(T));
    Views.push_back({{"name", Name},
                     {"title", viewTitle(Name)},
                     {"tables", std::move(List)}});
  }
  return Views;
}

// [name, call path, frame above, place, ns, source file, line]
ordered_json framesJson(const HtmlRun &R) {
  ordered_json Frames = ordered_json::array();
  for (const HtmlFrame &Each : R.Frames)
    Frames.push_back(
        {Each.Name, Each.Node, indexJson(Each.Parent),
         Each.File.empty() ? "" : Each.File + ":" + std::to_string(Each.Line),
         Each.Ns, indexJson(Each.Source), Each.Line});
  return Frames;
}

ordered_json rooflineJson(const HtmlRoofline &R) {
  if (R.Points.empty())
    return nullptr;
  ordered_json Points = ordered_json::array();
  for (const HtmlRoofline::Point &Each : R.Points)
    Points.push_back({{"name", Each.Name},
                      {"node", indexJson(Each.Node)},
                      {"intensity", Each.FlopPerByte},
                      {"flop", Each.Flop},
                      {"share", Each.Share}});
  return {{"flop", R.FlopPeak},
          {"bytes", R.BytesPeak},
          {"points", std::move(Points)}};
}

ordered_json runJson(const HtmlRun &R, CodeTable &Code) {
  ordered_json Facts = ordered_json::array();
  for (const HtmlFact &Each : R.Facts)
    Facts.push_back(
        {{"label", Each.Label}, {"value", Each.Value}, {"note", Each.Note}});
  ordered_json Advice = ordered_json::array();
  for (const HtmlFinding &Each : R.Advice)
    Advice.push_back(findingJson(Each));
  return {{"title", R.Title},
          {"command", R.Command},
          {"host", R.Host},
          {"process", R.Process},
          {"rank", R.Rank < 0 ? ordered_json(nullptr) : ordered_json(R.Rank)},
          {"started", R.StartedNs / 1'000'000},
          {"facts", std::move(Facts)},
          {"said", R.Said},
          {"verdict", findingJson(R.Verdict)},
          {"advice", std::move(Advice)},
          {"account", splitJson(R.Account)},
          {"split", splitJson(R.Split)},
          {"history", historyJson(R)},
          {"steps", stepsJson(R.Steps)},
          {"roofline", rooflineJson(R.Roofline)},
          {"tree", nodesJson(R)},
          {"waits", R.Waits},
          {"frames", framesJson(R)},
          {"sources", sourcesJson(R, Code)},
          {"views", viewsJson(R.Views)},
          {"timeline", timelineJson(R.Timeline)},
          {"missing", R.Missing},
          {"footer", R.Footer}};
}
} // namespace

ordered_json loopscope::tableJson(const Table &T) {
  ordered_json Columns = ordered_json::array();
  for (const Column &C : T.Columns)
    Columns.push_back(
        {{"key", C.Key},
         {"header", C.Header},
         {"text", isLeftAligned(C)},
         {"percent", C.Key.find("percent") != std::string::npos}});
  ordered_json Rows = ordered_json::array();
  for (const Row &R : T.Rows) {
    ordered_json Cells = ordered_json::array();
    for (size_t I = 0; I < R.Cells.size(); ++I)
      Cells.push_back(cellJson(R.Cells[I], T.Columns[I]));
    Rows.push_back({{"cells", std::move(Cells)},
                    {"depth", R.Depth},
                    {"total", R.IsTotal}});
    if (!R.Nodes.empty())
      Rows.back()["nodes"] = R.Nodes;
  }
  return {{"id", T.Id},
          {"title", T.Title},
          {"preamble", T.Preamble},
          {"columns", Columns},
          {"rows", Rows},
          {"notes", T.Notes},
          {"hidden", T.HiddenRows}};
}

ordered_json loopscope::htmlJson(const HtmlReport &Of) {
  ordered_json Runs = ordered_json::array();
  CodeTable Code;
  for (const HtmlRun &Each : Of.Runs)
    Runs.push_back(runJson(Each, Code));
  return {{"tool", "Made by loopscope " LOOPSCOPE_VERSION "."},
          {"comparison", Of.Comparison ? comparisonJson(*Of.Comparison)
                                       : ordered_json(nullptr)},
          {"shared", viewsJson(Of.Shared)},
          {"runs", std::move(Runs)},
          {"code", Code.lines()}};
}

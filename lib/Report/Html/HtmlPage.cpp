// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Page template plus data: the page's bytes.

#include "Report/Html/HtmlPage.h"

#include "Report/Html/HtmlAssets.h"
#include "Report/Print/Printers.h"
#include "Support/Numbers.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>

using namespace loopscope;
using nlohmann::ordered_json;

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
  };
  return std::visit(Visitor{}, C.Value);
}

// A text alone, or [value, text]: most of a large page is cells.
ordered_json toJson(const Cell &C, const Column &Under) {
  std::string Text = cellText(C, Under);
  if (std::holds_alternative<std::string>(C.Value) && C.Text.empty())
    return Text;
  return {cellValue(C), std::move(Text)};
}

ordered_json toJson(const Table &T) {
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
      Cells.push_back(toJson(R.Cells[I], T.Columns[I]));
    Rows.push_back({{"cells", std::move(Cells)},
                    {"depth", R.Depth},
                    {"total", R.IsTotal}});
  }
  return {{"id", T.Id},
          {"title", T.Title},
          {"preamble", T.Preamble},
          {"columns", Columns},
          {"rows", Rows},
          {"notes", T.Notes},
          {"hidden", T.HiddenRows}};
}

ordered_json toJson(const HtmlNode &N) {
  ordered_json Children = ordered_json::array();
  for (const HtmlNode &Child : N.Children)
    Children.push_back(toJson(Child));
  return {{"name", N.Name},           {"seconds", N.Seconds},
          {"self", N.Self},           {"calls", N.Calls},
          {"histogram", N.Histogram}, {"children", std::move(Children)}};
}

ordered_json toJson(const HtmlStack &S) {
  if (S.Labels.empty())
    return nullptr;
  ordered_json Parts = ordered_json::array();
  for (const auto &[Name, Seconds] : S.Parts)
    Parts.push_back({{"name", Name}, {"seconds", Seconds}});
  return {{"labels", S.Labels}, {"parts", std::move(Parts)}};
}

ordered_json toJson(const HtmlTimeline &T) {
  if (T.Tracks.empty())
    return nullptr;
  ordered_json Tracks = ordered_json::array();
  for (const HtmlTimeline::Track &Track : T.Tracks) {
    ordered_json Spans = ordered_json::array();
    for (const HtmlSpan &S : Track.Spans)
      Spans.push_back({S.Start, S.Duration, S.Name, S.Depth});
    Tracks.push_back({{"name", Track.Name}, {"spans", std::move(Spans)}});
  }
  return {{"note", T.Note}, {"names", T.Names}, {"tracks", std::move(Tracks)}};
}

ordered_json pieJson(const HtmlRun &R) {
  if (R.Pie.empty())
    return nullptr;
  ordered_json Items = ordered_json::array();
  for (const auto &[Name, Seconds] : R.Pie)
    Items.push_back({{"name", Name}, {"seconds", Seconds}});
  return {{"items", std::move(Items)}};
}

// "view-kernels" is headed "Kernels".
std::string viewTitle(std::string Name) {
  if (!Name.empty() && Name[0] >= 'a' && Name[0] <= 'z')
    Name[0] = static_cast<char>(Name[0] - 'a' + 'A');
  return Name;
}

ordered_json toJson(const HtmlRun &R) {
  ordered_json Cards = ordered_json::array();
  for (const auto &[Label, Value] : R.Cards)
    Cards.push_back({{"label", Label}, {"value", Value}});
  ordered_json Views = ordered_json::array();
  for (const auto &[Name, Tables] : R.Views) {
    ordered_json List = ordered_json::array();
    for (const Table &T : Tables)
      List.push_back(toJson(T));
    Views.push_back({{"name", Name},
                     {"title", viewTitle(Name)},
                     {"tables", std::move(List)}});
  }
  ordered_json Tree = ordered_json::array();
  for (const HtmlNode &N : R.Tree)
    Tree.push_back(toJson(N));
  return {{"title", R.Title},
          {"subtitle", R.Subtitle},
          {"verdict", R.Verdict},
          {"cards", std::move(Cards)},
          {"recommendations", R.Recommendations},
          {"stack", toJson(R.Stack)},
          {"tree", std::move(Tree)},
          {"waits", R.Waits},
          {"views", std::move(Views)},
          {"pie", pieJson(R)},
          {"timeline", toJson(R.Timeline)},
          {"footer", R.Footer}};
}

// JSON that may stand inside a script element: no "<" can end it early, and
// bytes that are no UTF-8 are replaced.
std::string scriptSafe(const ordered_json &Data) {
  std::string Json =
      Data.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  std::string Safe;
  Safe.reserve(Json.size());
  for (char C : Json)
    if (C == '<')
      Safe += "\\u003c";
    else
      Safe += C;
  return Safe;
}
} // namespace

Result<std::string> loopscope::printHtml(const std::vector<HtmlRun> &Runs) {
  HtmlAssets Assets = htmlAssets();
  if (Assets.ChartLibrary.empty())
    return Error{"this loopscope was built without the HTML page, because npm "
                 "could not fetch its chart library; use --format markdown, or "
                 "build it again with npm installed"};
  ordered_json Data = {{"tool", "Made by loopscope " LOOPSCOPE_VERSION "."},
                       {"runs", ordered_json::array()}};
  for (const HtmlRun &R : Runs)
    Data["runs"].push_back(toJson(R));
  const std::pair<std::string_view, std::string> Parts[] = {
      {"@PAGE_CSS@", std::string(Assets.Css)},
      {"@PAGE_DATA@", scriptSafe(Data)},
      {"@CHART_LIBRARY@", std::string(Assets.ChartLibrary)},
      {"@PAGE_JS@", std::string(Assets.Script)}};
  // One pass, left to right: what is put in is never searched.
  std::string_view Rest = Assets.Page;
  std::string Page;
  for (const auto &[Mark, Text] : Parts) {
    size_t At = Rest.find(Mark);
    Page.append(Rest.substr(0, At)).append(Text);
    Rest.remove_prefix(At + Mark.size());
  }
  return Page.append(Rest);
}

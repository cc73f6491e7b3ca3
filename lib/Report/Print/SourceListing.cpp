// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three printers of listings, which share the cells.

#include "Report/Print/SourceListing.h"

#include "Report/Print/Elide.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

using namespace loopscope;
using Json = nlohmann::ordered_json;

namespace {
// The columns beside a line, in this order.
struct ListingColumn {
  const char *Header;
  size_t Width;
  bool NeedsGpu;
  bool NeedsSamples;
  std::string (*Cell)(const LineFigures &, const SourceListing &);
};

std::string percent(double Part, double Whole) {
  return Whole > 0 ? fmt::format("{:.1f}", 100 * Part / Whole) : "";
}

constexpr std::array<ListingColumn, 7> ListingColumns = {{
    {"Time", 9, false, false,
     [](const LineFigures &L, const SourceListing &) {
       return L.HasSpans ? readableDuration(toSeconds(L.TimeNs)) : "";
     }},
    {"%", 6, false, false,
     [](const LineFigures &L, const SourceListing &Of) {
       return L.HasSpans ? percent(static_cast<double>(L.TimeNs),
                                   static_cast<double>(Of.WallNs))
                         : "";
     }},
    {"Self", 9, false, false,
     [](const LineFigures &L, const SourceListing &) {
       return L.HasSpans ? readableDuration(toSeconds(L.SelfNs)) : "";
     }},
    {"Calls", 8, false, false,
     [](const LineFigures &L, const SourceListing &) {
       return L.HasSpans ? fmt::format("{}", L.Calls) : "";
     }},
    {"GPU", 9, true, false,
     [](const LineFigures &L, const SourceListing &) {
       return L.GpuNs > 0 ? readableDuration(toSeconds(L.GpuNs)) : "";
     }},
    {"Samples", 8, false, true,
     [](const LineFigures &L, const SourceListing &) {
       return L.Samples > 0 ? fmt::format("{}", L.Samples) : "";
     }},
    {"%", 6, false, true,
     [](const LineFigures &L, const SourceListing &Of) {
       return L.Samples > 0 ? percent(static_cast<double>(L.Samples),
                                      static_cast<double>(Of.Samples))
                            : "";
     }},
}};

bool isShown(const ListingColumn &C, const SourceListing &Of) {
  return (Of.HasGpu || !C.NeedsGpu) && (Of.Samples != 0 || !C.NeedsSamples);
}

// Shares from which a line counts as warm or hot.
constexpr double Warm = 0.02, Hot = 0.10;

std::string headingOf(const ListedExcerpt &Of) {
  uint32_t First = Of.Lines.front().Number, Last = Of.Lines.back().Number;
  return First == Last ? fmt::format("{}:{}", Of.Path, First)
                       : fmt::format("{}:{}-{}", Of.Path, First, Last);
}

std::string escapedForHtml(const std::string &Text) {
  std::string Result;
  for (char C : Text)
    switch (C) {
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '&':
      Result += "&amp;";
      break;
    default:
      Result += C;
    }
  return Result;
}

std::string trimmed(std::string Line) {
  Line.erase(Line.find_last_not_of(' ') + 1);
  return Line + '\n';
}
} // namespace

std::string loopscope::listingText(const SourceListing &Of,
                                   const Terminal &Where) {
  std::string Result = Of.Title + "\n";
  std::string Header;
  for (const ListingColumn &C : ListingColumns)
    if (isShown(C, Of))
      Header += fmt::format("{:>{}}", C.Header, C.Width);
  Header += "   Line";
  for (const ListedExcerpt &Each : Of.Excerpts) {
    Result += '\n' + headingOf(Each) + '\n' + Header + '\n';
    for (const ListedLine &Line : Each.Lines) {
      std::string Text;
      for (const ListingColumn &C : ListingColumns)
        if (isShown(C, Of))
          Text += fmt::format("{:>{}}", C.Cell(Line.Figures, Of), C.Width);
      if (!Where.Utf8) // the code stays as it is
        Text = withAsciiUnits(std::move(Text));
      Text += fmt::format("{:>7}  ", Line.Number);
      size_t Used = displayWidth(Text);
      if (Where.Width == 0)
        Text += Line.Code;
      else if (Where.Width > Used)
        Text += cutEnd(Line.Code, Where.Width - Used);
      const char *Colour = !Where.Colours      ? nullptr
                           : Line.Heat >= Hot  ? "\033[1;31m"
                           : Line.Heat >= Warm ? "\033[33m"
                                               : nullptr;
      Result += Colour ? Colour + Text + "\033[0m\n" : trimmed(Text);
    }
  }
  if (!Of.Notes.empty())
    Result += '\n';
  for (const std::string &Note : Of.Notes)
    Result += Note + '\n';
  return Result;
}

std::string loopscope::listingHtml(const SourceListing &Of) {
  std::string Result = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<title>{0}</title>\n<style>\n"
      "body {{ font: 14px sans-serif; margin: 2em; }}\n"
      "table {{ border-collapse: collapse; margin-bottom: 2em; }}\n"
      "td, th {{ padding: 0 .6em; text-align: right; white-space: nowrap; }}\n"
      "td.code {{ text-align: left; font-family: monospace; white-space: pre; "
      "}}\n</style>\n<h1>{0}</h1>\n",
      escapedForHtml(Of.Title));
  for (const ListedExcerpt &Each : Of.Excerpts) {
    Result += fmt::format("<h2>{}</h2>\n<table>\n<tr>",
                          escapedForHtml(headingOf(Each)));
    for (const ListingColumn &C : ListingColumns)
      if (isShown(C, Of))
        Result += fmt::format("<th>{}</th>", C.Header);
    Result += "<th>Line</th><th></th></tr>\n";
    for (const ListedLine &Line : Each.Lines) {
      // The background says the same as the numbers.
      Result +=
          fmt::format("<tr style=\"background: rgba(255, 80, 0, {:.2f})\">",
                      std::min(Line.Heat, 1.0) * 0.8);
      for (const ListingColumn &C : ListingColumns)
        if (isShown(C, Of))
          Result += fmt::format("<td>{}</td>", C.Cell(Line.Figures, Of));
      Result += fmt::format("<td>{}</td><td class=\"code\">{}</td></tr>\n",
                            Line.Number, escapedForHtml(Line.Code));
    }
    Result += "</table>\n";
  }
  for (const std::string &Note : Of.Notes)
    Result += fmt::format("<p>{}</p>\n", escapedForHtml(Note));
  return Result + "</html>\n";
}

std::string loopscope::listingJson(const SourceListing &Of) {
  Json Excerpts = Json::array();
  for (const ListedExcerpt &Each : Of.Excerpts) {
    Json Lines = Json::array();
    for (const ListedLine &Line : Each.Lines) {
      Json Next = {{"line", Line.Number}, {"code", Line.Code}};
      if (Line.Figures.HasSpans) {
        Next["time_s"] = toSeconds(Line.Figures.TimeNs);
        Next["self_s"] = toSeconds(Line.Figures.SelfNs);
        Next["calls"] = Line.Figures.Calls;
        if (Of.HasGpu)
          Next["gpu_s"] = toSeconds(Line.Figures.GpuNs);
      }
      if (Of.Samples != 0)
        Next["samples"] = Line.Figures.Samples;
      Lines.push_back(std::move(Next));
    }
    Excerpts.push_back({{"file", Each.Path},
                        {"hottest_percent", Each.Heat * 100},
                        {"lines", std::move(Lines)}});
  }
  Json Result = {{"schema", JsonSchemaVersion},
                 {"wall_s", toSeconds(Of.WallNs)},
                 {"samples", Of.Samples},
                 {"excerpts", std::move(Excerpts)},
                 {"notes", Of.Notes}};
  return Result.dump(2) + '\n';
}

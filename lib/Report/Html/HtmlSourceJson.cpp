// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source as JSON. Their code is in one list for the whole page,
// because ranks have the same.

#include "Report/Html/HtmlJson.h"

#include "Report/Html/HtmlParts.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <cmath>

using namespace loopscope;
using nlohmann::ordered_json;

ordered_json CodeTable::indexOf(const std::string &Code) {
  auto [At, IsNew] = Index.try_emplace(Code, Lines.size());
  if (!IsNew)
    return At->second;
  if (Bytes + Code.size() > MaxHtmlCode) {
    Index.erase(At);
    return nullptr;
  }
  Bytes += Code.size();
  Lines.push_back(Code);
  return At->second;
}

// Lines as [number, code, calls, total, self, GPU, samples, heat, node]; lines
// without figures end after their code, and what a line can't have is null.
ordered_json loopscope::sourcesJson(const HtmlRun &R, CodeTable &Code) {
  if (R.SourceFiles.empty())
    return nullptr;
  ordered_json Files = ordered_json::array();
  for (const ListedFile &Each : R.SourceFiles)
    Files.push_back({Each.Path, Each.Why});
  ordered_json Names = ordered_json::array();
  for (const auto &[Name, Index] : R.SourceOf)
    Names.push_back({Name, Index});
  size_t WithoutRoom = 0;
  ordered_json Excerpts = ordered_json::array();
  for (const ListedExcerpt &Each : R.Sources) {
    bool HasCode = R.SourceFiles[Each.File].Why.empty() && !R.SourceIsLeftOut;
    ordered_json Lines = ordered_json::array();
    for (const ListedLine &L : Each.Lines) {
      ordered_json Text =
          HasCode ? Code.indexOf(L.Code) : ordered_json(nullptr);
      WithoutRoom += HasCode && Text.is_null() ? 1 : 0;
      ordered_json Line = ordered_json::array({L.Number, std::move(Text)});
      const LineFigures &F = L.Figures;
      if (F.HasSpans || F.Samples != 0) {
        auto OfSpans = [&](auto Value) {
          return F.HasSpans ? ordered_json(Value) : ordered_json(nullptr);
        };
        Line.insert(
            Line.end(),
            {OfSpans(F.Calls), OfSpans(F.TimeNs), OfSpans(F.SelfNs),
             OfSpans(F.GpuNs), F.Samples, std::round(L.Heat * 1e4) / 1e4,
             F.Node == None ? ordered_json(nullptr) : ordered_json(F.Node)});
      }
      Lines.push_back(std::move(Line));
    }
    Excerpts.push_back({Each.File, std::move(Lines)});
  }
  std::vector<std::string> Notes = R.SourceNotes;
  if (WithoutRoom != 0)
    Notes.push_back(fmt::format(
        "The code of {} is not on this page, which has room for {} kB of it; "
        "`loopscope annotate` prints it.",
        counted(WithoutRoom, "line"), MaxHtmlCode / 1000));
  return {{"files", std::move(Files)},
          {"names", std::move(Names)},
          {"excerpts", std::move(Excerpts)},
          {"notes", std::move(Notes)}};
}

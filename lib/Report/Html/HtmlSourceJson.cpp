// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source as JSON. Their code is in one list for the whole page,
// because ranks have the same.

#include "Report/Html/HtmlJson.h"

#include "Report/Html/HtmlParts.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

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

namespace {
// The code of each line of R's excerpts, the hottest first as long as there is
// room; WITHOUT counts those that have none for lack of it.
std::vector<std::vector<ordered_json>> codeOf(const HtmlRun &R, CodeTable &Code,
                                              size_t &Without) {
  std::vector<std::vector<ordered_json>> Result;
  for (const ListedExcerpt &Each : R.Sources)
    Result.emplace_back(Each.Lines.size());
  for (auto [Which, Line] : linesByHeat(R.Sources)) {
    const ListedExcerpt &From = R.Sources[Which];
    if (R.SourceIsLeftOut || !R.SourceFiles[From.File].Why.empty())
      continue;
    ordered_json &Into = Result[Which][Line];
    Into = Code.indexOf(From.Lines[Line].Code);
    Without += Into.is_null() ? 1 : 0;
  }
  return Result;
}

// [number, code, calls, total, self, GPU, samples, heat, node]; lines without
// figures end after their code, and what a line can't have is null.
ordered_json lineJson(const ListedLine &Of, ordered_json Code) {
  ordered_json Line = ordered_json::array({Of.Number, std::move(Code)});
  const LineFigures &F = Of.Figures;
  if (!F.HasSpans && F.Samples == 0)
    return Line;
  auto OfSpans = [&](auto Value) {
    return F.HasSpans ? ordered_json(Value) : ordered_json(nullptr);
  };
  Line.push_back(OfSpans(F.Calls));
  for (int64_t Ns : {F.TimeNs, F.SelfNs, F.GpuNs})
    Line.push_back(OfSpans(Ns));
  Line.push_back(F.Samples);
  Line.push_back(std::round(Of.Heat * 1e4) / 1e4);
  Line.push_back(F.Node == None ? ordered_json(nullptr) : ordered_json(F.Node));
  return Line;
}
} // namespace

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
  std::vector<std::vector<ordered_json>> Codes = codeOf(R, Code, WithoutRoom);
  ordered_json Excerpts = ordered_json::array();
  for (size_t I = 0; I < R.Sources.size(); ++I) {
    const ListedExcerpt &Each = R.Sources[I];
    ordered_json Lines = ordered_json::array();
    for (size_t J = 0; J < Each.Lines.size(); ++J)
      Lines.push_back(lineJson(Each.Lines[J], std::move(Codes[I][J])));
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

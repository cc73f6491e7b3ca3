// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name and its value, or its values and who says them.

#include "Report/Views/FactLines.h"

#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace loopscope;

namespace {
// What one line has room for.
constexpr size_t MostShown = 12;

std::string valuesText(const RunFact &Of) {
  if (!Of.differs())
    return shownFact(Of.Name, Of.Values.front().Value);
  std::vector<std::string> All;
  for (const RunFact::Said &Each : Of.Values)
    All.push_back(fmt::format("{} ({})", shownFact(Of.Name, Each.Value),
                              someOf(Each.By)));
  return fmt::format("{}", fmt::join(All, ", "));
}

// Numbers stay numbers where json and csv can hold them.
Cell cellOf(const RunFact &Of) {
  const FactValue &Value = Of.Values.front().Value;
  if (Of.differs())
    return text(valuesText(Of));
  if (const auto *Text = std::get_if<std::string>(&Value))
    return text(*Text);
  if (const auto *Real = std::get_if<double>(&Value))
    return real(*Real);
  if (const auto *Whole = std::get_if<int64_t>(&Value))
    return {*Whole, {}};
  const auto *Unsigned = std::get_if<uint64_t>(&Value);
  return Unsigned && *Unsigned <= INT64_MAX ? count(*Unsigned)
                                            : text(factText(Value));
}
} // namespace

std::string loopscope::shownFact(const std::string &Name,
                                 const FactValue &Value) {
  constexpr size_t ShortCommit = 12;
  std::string Text = factText(Value);
  return Name == LOOPSCOPE_FACT_COMMIT ? Text.substr(0, ShortCommit) : Text;
}

std::string loopscope::factsLine(const RunInfo &Of) {
  std::vector<std::string> All;
  for (const RunFact &Each : Of.Facts)
    if (All.size() < MostShown)
      All.push_back(fmt::format("{} {}", Each.Name, valuesText(Each)));
  if (All.empty())
    return {};
  std::string Line = fmt::format("Facts: {}", fmt::join(All, ", "));
  if (size_t More = Of.Facts.size() - All.size(); More != 0)
    Line += fmt::format(", and {} more, which --format json has", More);
  return Line + ".";
}

std::string loopscope::differingFactsLine(const std::vector<RunFact> &Facts) {
  std::vector<std::string> All;
  for (const RunFact &Each : Facts)
    if (Each.differs())
      All.push_back(fmt::format("{} {}", Each.Name, valuesText(Each)));
  return All.empty() ? ""
                     : fmt::format("Facts differ: {}.", fmt::join(All, "; "));
}

void loopscope::describeFacts(const RunInfo &Of, Section &S) {
  if (Of.Facts.empty())
    return;
  std::vector<std::pair<std::string, Cell>> Fields;
  for (const RunFact &Each : Of.Facts)
    Fields.emplace_back(Each.Name, cellOf(Each));
  S.Objects.emplace_back("facts", std::move(Fields));
}

Table loopscope::factsTable(const RunInfo &Of) {
  Table Out;
  Out.Id = "facts";
  Out.Columns = {{"fact", "Fact", Style::Text},
                 {"value", "Value", Style::Text}};
  for (const RunFact &Each : Of.Facts)
    Out.Rows.push_back({{text(Each.Name), cellOf(Each)}});
  return Out;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csv: one table of everything.

#include "Report/Print/Csv.h"
#include "Report/Print/Printers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

using namespace loopscope;

namespace {
constexpr size_t NoCell = static_cast<size_t>(-1);

// Columns by name. Each name has one column, at the position of its first
// appearance.
class Header {
public:
  size_t add(const std::string &Key) {
    auto [Found, IsNew] = Index.try_emplace(Key, Keys.size());
    if (IsNew)
      Keys.push_back(Key);
    return Found->second;
  }
  size_t size() const { return Keys.size(); }
  std::string line() const;

private:
  std::vector<std::string> Keys;
  std::unordered_map<std::string, size_t> Index;
};

// The first column, which distinguishes sections if there are several.
class SectionColumn {
public:
  explicit SectionColumn(const std::vector<Section> &Report);

  const std::string &key() const { return Key; } ///< empty: no such column
  std::string fieldOf(const Section &S, bool Bare) const {
    return IsRank ? fmt::format("{}", S.Rank) : csvText(S.File, Bare);
  }

private:
  std::string Key;
  bool IsRank = false;
};

bool isPlain(const std::string &Key) {
  return std::all_of(Key.begin(), Key.end(), [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
           (C >= '0' && C <= '9') || C == '_' || C == '.';
  });
}

std::string fieldOf(const Cell &C, bool Bare) {
  const auto *Text = std::get_if<std::string>(&C.Value);
  return Text ? csvText(*Text, Bare) : cellData(C);
}

template <typename Function>
void eachTable(const std::vector<Section> &Report, Function Do) {
  for (const Section &S : Report)
    for (const Table &T : S.Tables)
      Do(S, T);
}
} // namespace

std::string Header::line() const {
  std::string Line;
  for (const std::string &Each : Keys) {
    Line += Line.empty() ? "" : ",";
    // Metric names come from the file.
    Line += isPlain(Each) ? Each : csvText(Each);
  }
  return Line + '\n';
}

SectionColumn::SectionColumn(const std::vector<Section> &Report) {
  if (Report.size() < 2)
    return;
  std::set<int64_t> Ranks;
  for (const Section &S : Report)
    if (S.Rank >= 0)
      Ranks.insert(S.Rank);
  IsRank = Ranks.size() == Report.size();
  Key = IsRank ? "rank" : "file";
  // The tree has the source's file.
  eachTable(Report, [&](const Section &, const Table &T) {
    for (const Column &Each : T.Columns)
      if (Each.Key == Key)
        Key = "input";
  });
}

std::string loopscope::printCsv(const std::vector<Section> &Report, bool Bare) {
  SectionColumn First(Report);
  Header All;
  if (!First.key().empty())
    All.add(First.key());
  eachTable(Report, [&](const Section &, const Table &T) {
    for (const auto &[Key, Text] : T.Where)
      All.add(Key);
  });
  eachTable(Report, [&](const Section &, const Table &T) {
    for (const Column &Each : T.Columns)
      All.add(Each.Key);
  });
  std::string Result = All.line();
  eachTable(Report, [&](const Section &S, const Table &T) {
    // By position in the header: the text that all rows share, or the cell to
    // take.
    std::vector<std::string> Fixed(All.size());
    std::vector<size_t> CellOf(All.size(), NoCell);
    if (!First.key().empty())
      Fixed[0] = First.fieldOf(S, Bare);
    for (const auto &[Key, Text] : T.Where)
      Fixed[All.add(Key)] = csvText(Text, Bare);
    for (size_t I = 0; I < T.Columns.size(); ++I)
      CellOf[All.add(T.Columns[I].Key)] = I;
    for (const Row &R : T.Rows) {
      for (size_t I = 0; I < All.size(); ++I) {
        Result += I == 0 ? "" : ",";
        Result +=
            CellOf[I] == NoCell ? Fixed[I] : fieldOf(R.Cells[CellOf[I]], Bare);
      }
      Result += '\n';
    }
  });
  return Result;
}

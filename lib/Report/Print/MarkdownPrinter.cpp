// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// markdown: GitHub's tables.

#include "Report/Print/Code.h"
#include "Report/Print/Printers.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
// Escapes what would end a cell or start a construct.
std::string escapedForMarkdown(const std::string &Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '|' || C == '\\' || C == '`' || C == '*' || C == '_' || C == '<' ||
        C == '[')
      Result += '\\';
    Result += C;
  }
  return Result;
}

// A sentence, whose code stays code.
std::string sentence(const std::string &Line) {
  std::string Result;
  for (const TextPart &Each : codeParts(Line))
    Result +=
        Each.IsCode ? '`' + Each.Text + '`' : escapedForMarkdown(Each.Text);
  return Result;
}

// Bars are printed as code, so that all characters have the same width.
constexpr size_t BarWidth = 60;

std::string cellOf(const Cell &C, const Table &T, const Column &Under) {
  if (const auto *Drawn = std::get_if<Bar>(&C.Value)) {
    size_t Width = Under.MostCells == 0 ? BarWidth : Under.MostCells;
    std::string Cells = drawBar(*Drawn, T.Keys, Width, {});
    return Cells.empty() ? Cells : '`' + Cells + '`';
  }
  if (const auto *Curved = std::get_if<Curve>(&C.Value))
    return '`' + drawCurve(*Curved, BarWidth, {}) + '`';
  return escapedForMarkdown(cellText(C, Under));
}

std::string headerOf(const Column &C) {
  std::string Header = C.Header;
  if (size_t Tab = Header.find('\t'); Tab != std::string::npos)
    Header.replace(Tab, 1, " to ");
  return escapedForMarkdown(Header);
}

void appendRows(std::string &Out, const Table &T) {
  Out += '|';
  for (const Column &C : T.Columns)
    Out += ' ' + headerOf(C) + " |";
  Out += "\n|";
  for (const Column &C : T.Columns)
    Out += isLeftAligned(C) ? " :-- |" : " --: |";
  Out += '\n';
  for (const Row &R : T.Rows) {
    Out += '|';
    for (size_t I = 0; I < R.Cells.size(); ++I) {
      std::string Indent;
      for (int Level = 0; I == 0 && Level < R.Depth; ++Level)
        Indent += "&nbsp;&nbsp;";
      Out += ' ' + Indent + cellOf(R.Cells[I], T, T.Columns[I]) + " |";
    }
    Out += '\n';
  }
  Out += '\n';
}

void appendTable(std::string &Out, const Table &T) {
  if (!T.Title.empty())
    Out += fmt::format("### {}\n\n", escapedForMarkdown(T.Title));
  for (const std::string &Line : T.Preamble)
    Out += sentence(Line) + "\n\n";
  if (!T.Columns.empty())
    appendRows(Out, T);
  std::string Keys;
  for (size_t I = 0; I < T.Keys.size(); ++I)
    if (!T.Keys[I].Name.empty())
      Keys += (Keys.empty() ? "`" : ", `") + drawKey(T.Keys, I, {}) + '`';
  Out += Keys + (Keys.empty() ? "" : "\n\n");
  if (T.HiddenRows != 0)
    Out += fmt::format("{} more rows are hidden.\n\n", T.HiddenRows);
  for (const std::string &Line : T.Notes)
    Out += sentence(Line) + "\n\n";
}
} // namespace

std::string loopscope::printMarkdown(const std::vector<Section> &Report) {
  std::string Result;
  for (const Section &S : Report) {
    if (Report.size() > 1)
      Result += fmt::format("## {}{}\n\n", escapedForMarkdown(S.File),
                            S.Label.empty() ? "" : " (" + S.Label + ")");
    for (const Table &T : S.Tables)
      appendTable(Result, T);
    for (const std::string &Line : S.Footer)
      Result += "- " + sentence(Line) + '\n';
    if (!S.Footer.empty())
      Result += '\n';
  }
  if (!Result.empty())
    Result.pop_back(); // one newline at the end
  return Result;
}

// markdown: GitHub's tables.
#include "Report/Printers.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
// Text that must not end a cell or start a construct.
std::string escaped(const std::string &Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '|' || C == '\\' || C == '`' || C == '*' || C == '_' || C == '<' ||
        C == '[')
      Result += '\\';
    Result += C;
  }
  return Result;
}

void appendTable(std::string &Out, const Table &T) {
  if (!T.Title.empty())
    Out += fmt::format("### {}\n\n", escaped(T.Title));
  for (const std::string &Line : T.Preamble)
    Out += escaped(Line) + "\n\n";
  Out += '|';
  for (const Column &C : T.Columns)
    Out += ' ' + escaped(C.Header) + " |";
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
      Out += ' ' + Indent + escaped(cellText(R.Cells[I], T.Columns[I])) + " |";
    }
    Out += '\n';
  }
  Out += '\n';
  if (T.HiddenRows != 0)
    Out += fmt::format("{} more rows are hidden.\n\n", T.HiddenRows);
  for (const std::string &Line : T.Notes)
    Out += escaped(Line) + "\n\n";
}
} // namespace

std::string loopscope::printMarkdown(const std::vector<Section> &Report) {
  std::string Result;
  for (const Section &S : Report) {
    if (Report.size() > 1)
      Result += fmt::format("## {}{}\n\n", escaped(S.File),
                            S.Label.empty() ? "" : " (" + S.Label + ")");
    for (const Table &T : S.Tables)
      appendTable(Result, T);
    for (const std::string &Line : S.Footer)
      Result += "- " + escaped(Line) + '\n';
    if (!S.Footer.empty())
      Result += '\n';
  }
  if (!Result.empty())
    Result.pop_back(); // one newline at the end
  return Result;
}

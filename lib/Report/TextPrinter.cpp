// text, for people: aligned columns that fit the terminal.
//
//   Table -> Grid (every cell a string) -> names elided to fit -> one of three
//   layouts -> notes
#include "Report/Elide.h"
#include "Report/Printers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
using Strings = std::vector<std::string>;

// Narrower name columns say nothing any more.
constexpr size_t LeastNameWidth = 12;
constexpr size_t NoLimit = static_cast<size_t>(-1);
// Lightning's cells, and the distance of its tab stops.
constexpr size_t LightningCell = 15;
constexpr size_t TabStop = 8;
// Its rules end this far before the last bar.
constexpr size_t LightningRuleShort = 3;
// The compact form's cells are this much wider than their contents.
constexpr size_t CompactSlack = 5;

struct Grid {
  const Table &T;
  Strings Header;
  std::vector<Strings> Rows;
  Legend Elided;

  explicit Grid(const Table &T);
  size_t width(size_t Column) const;
  void elideNames(size_t Width);
};

std::string padded(const std::string &Text, size_t Width, bool Left) {
  size_t Shown = displayWidth(Text);
  std::string Fill(Shown < Width ? Width - Shown : 0, ' ');
  return Left ? Text + Fill : Fill + Text;
}

void trimEnd(std::string &Line) { Line.erase(Line.find_last_not_of(' ') + 1); }

// LINE's length once its tabs are expanded.
size_t expandedWidth(const std::string &Line) {
  size_t Width = 0;
  size_t At = 0;
  for (size_t Tab; (Tab = Line.find('\t', At)) != std::string::npos;
       At = Tab + 1) {
    Width += displayWidth(Line.substr(At, Tab - At));
    Width = (Width / TabStop + 1) * TabStop;
  }
  return Width + displayWidth(Line.substr(At));
}

std::string lightningLine(const Strings &Cells, size_t NameWidth) {
  std::string Line = padded(Cells[0], NameWidth, true) + "\t|";
  for (size_t I = 1; I < Cells.size(); ++I) {
    // The calls' cell has no blanks before it.
    bool IsCalls = I == 2;
    Line +=
        (IsCalls ? "" : "  ") + padded(Cells[I], LightningCell, true) + "\t|";
  }
  return Line;
}

void appendLightning(std::string &Out, const Grid &G) {
  size_t NameWidth = G.width(0);
  std::string Header = lightningLine(G.Header, NameWidth);
  std::string Rule(expandedWidth(Header) - LightningRuleShort, '-');
  Out += Header + '\n' + Rule + '\n';
  for (size_t I = 0; I < G.Rows.size(); ++I) {
    Out += lightningLine(G.Rows[I], NameWidth) + '\n';
    if (G.T.Rows[I].IsTotal)
      Out += Rule + '\n';
  }
}

void appendCompact(std::string &Out, const Grid &G, size_t Slack) {
  auto Line = [&](const Strings &Cells) {
    std::string Result = "|";
    for (size_t I = 0; I < Cells.size(); ++I) {
      size_t Least = displayWidth(G.Header[I]);
      bool IsLast = I + 1 == Cells.size();
      size_t Width = IsLast ? std::max(Least + 1, G.width(I))
                            : std::max(Least, G.width(I)) + Slack;
      Result += "  " + padded(Cells[I], Width, true) + "|";
    }
    return Result;
  };
  std::string Header = Line(G.Header);
  std::string Rule(displayWidth(Header), '-');
  Out += Rule + '\n' + Header + '\n' + Rule + '\n';
  for (const Strings &Cells : G.Rows)
    Out += Line(Cells) + '\n';
  Out += Rule + '\n';
}

size_t plainWidth(const Grid &G) {
  size_t Width = 0;
  for (size_t I = 0; I < G.Header.size(); ++I)
    Width += G.width(I) + (I == 0 ? 0 : 2);
  return Width;
}

void appendCProfile(std::string &Out, const Grid &G) {
  constexpr size_t Number = 8;
  size_t Calls = std::max(Number + 1, G.width(0));
  auto Append = [&](const Strings &Cells) {
    std::string Line = padded(Cells[0], Calls, false);
    for (size_t I = 1; I + 1 < Cells.size(); ++I)
      Line += " " + padded(Cells[I], Number, false);
    Out += Line + " " + Cells.back() + '\n';
  };
  Append(G.Header);
  for (const Strings &Cells : G.Rows)
    Append(Cells);
}

void appendPlain(std::string &Out, const Grid &G) {
  auto Append = [&](const Strings &Cells) {
    std::string Line;
    for (size_t I = 0; I < Cells.size(); ++I)
      Line += (I == 0 ? "" : "  ") +
              padded(Cells[I], G.width(I), isLeftAligned(G.T.Columns[I]));
    trimEnd(Line);
    Out += Line + '\n';
  };
  std::string Rule(plainWidth(G), '-');
  Append(G.Header);
  Out += Rule + '\n';
  for (size_t I = 0; I < G.Rows.size(); ++I) {
    Append(G.Rows[I]);
    if (G.T.Rows[I].IsTotal)
      Out += Rule + '\n';
  }
}

// Whether every table that wants Lightning's layout fits into WIDTH in it: one
// report has one layout.
bool lightningFits(const std::vector<Section> &Report, size_t Width) {
  for (const Section &S : Report)
    for (const Table &T : S.Tables) {
      Grid G(T);
      if (T.TextLayout == Layout::Lightning &&
          expandedWidth(lightningLine(G.Header, G.width(0))) > Width)
        return false;
    }
  return true;
}

// Appends the table in LAYOUT, at most WIDTH wide as far as cutting names can
// do that.
void appendGrid(std::string &Out, Grid &G, Layout As, size_t Width) {
  if (As == Layout::Lightning)
    return appendLightning(Out, G);
  if (As == Layout::CProfile)
    return appendCProfile(Out, G);
  size_t Names = G.width(0);
  auto Room = [&](size_t Used) {
    if (Used <= Width)
      return Names;
    size_t Over = Used - Width;
    return Names > Over ? Names - Over : 0;
  };
  if (As == Layout::Compact) {
    constexpr size_t Bars = 10;
    size_t Used = Bars + CompactSlack * 2;
    for (size_t I = 0; I < G.Header.size(); ++I)
      Used += G.width(I);
    size_t Slack = Used <= Width ? CompactSlack : 1;
    Used -= (CompactSlack - Slack) * 2;
    G.elideNames(std::max(Room(Used), LeastNameWidth));
    return appendCompact(Out, G, Slack);
  }
  G.elideNames(std::max(Room(plainWidth(G)), LeastNameWidth));
  appendPlain(Out, G);
}

void appendTable(std::string &Out, const Table &T, Layout As, size_t Width) {
  if (!T.Title.empty())
    Out += T.Title + (As == Layout::CProfile ? "\n" : "\n\n");
  for (const std::string &Line : T.Preamble)
    Out += Line + '\n';
  Grid G(T);
  appendGrid(Out, G, As, Width);
  for (const auto &[Short, Full] : G.Elided)
    Out += fmt::format("  {} = {}\n", Short, Full);
  if (T.HiddenRows != 0)
    Out += fmt::format("{} more row{} hidden; --rows all shows all.\n",
                       T.HiddenRows, T.HiddenRows == 1 ? " is" : "s are");
  for (const std::string &Line : T.Notes)
    Out += Line + '\n';
}
} // namespace

Grid::Grid(const Table &T) : T(T) {
  for (const Column &C : T.Columns)
    Header.push_back(C.Header);
  for (const Row &R : T.Rows) {
    Strings Cells;
    for (size_t I = 0; I < R.Cells.size(); ++I)
      Cells.push_back(cellText(R.Cells[I], T.Columns[I]));
    Cells[0].insert(0, static_cast<size_t>(R.Depth) * 2, ' ');
    Rows.push_back(std::move(Cells));
  }
}

size_t Grid::width(size_t Column) const {
  size_t Width = displayWidth(Header[Column]);
  for (const Strings &Cells : Rows)
    Width = std::max(Width, displayWidth(Cells[Column]));
  return Width;
}

void Grid::elideNames(size_t Width) {
  for (Strings &Cells : Rows)
    Cells[0] = elide(Cells[0], Width, Elided);
}

std::string loopscope::printText(const std::vector<Section> &Report,
                                 const Terminal &Where) {
  size_t Width = Where.Width == 0 ? NoLimit : Where.Width;
  bool Fits = lightningFits(Report, Width);
  std::string Result;
  for (const Section &S : Report) {
    if (!Result.empty())
      Result += '\n';
    if (Report.size() > 1)
      Result += fmt::format("== {}{}\n\n", S.File,
                            S.Label.empty() ? "" : " (" + S.Label + ")");
    for (size_t I = 0; I < S.Tables.size(); ++I) {
      if (I != 0)
        Result += '\n';
      Layout As = S.Tables[I].TextLayout;
      if (As == Layout::Lightning && !Fits)
        As = Layout::Plain;
      appendTable(Result, S.Tables[I], As, Width);
    }
    if (!S.Tables.empty() && !S.Footer.empty())
      Result += '\n';
    for (const std::string &Line : S.Footer)
      Result += Line + '\n';
  }
  return Result;
}

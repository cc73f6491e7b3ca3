// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text, for people: aligned columns that fit the terminal.
//
//   Table -> Grid (every cell a string) -> columns of low priority dropped,
//   names elided to fit -> one of the layouts -> notes

#include "Report/Print/Code.h"
#include "Report/Print/Elide.h"
#include "Report/Print/Printers.h"
#include "Report/Print/Wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

using namespace loopscope;

namespace {
using Strings = std::vector<std::string>;

// Below this width, names say nothing.
constexpr size_t LeastNameWidth = 12;
// Columns are dropped before names get narrower than this.
constexpr size_t GoodNameWidth = 20;
// The same for the texts of columns that may be cut.
constexpr size_t LeastCutWidth = 20;
constexpr size_t GoodCutWidth = 40;
constexpr size_t NoLimit = static_cast<size_t>(-1);
constexpr size_t NoRow = static_cast<size_t>(-1); // the header
// Percent from which on a row's own share is yellow, the largest of them bold
// red, and below which a share is faint.
constexpr double LargeShare = 20;
constexpr double SmallShare = 1;
constexpr const char *Red = "\x1b[1;31m";
constexpr const char *Yellow = "\x1b[33m";
constexpr const char *Green = "\x1b[32m";
constexpr const char *Faint = "\x1b[2m";
// Lightning's cells, and the distance of its tab stops.
constexpr size_t LightningCell = 15;
constexpr size_t TabStop = 8;
// Its rules end this far before the last bar.
constexpr size_t LightningRuleShort = 3;
// The width of bars without a limit, and when there is hardly any room.
constexpr size_t UsualWidth = 100;
constexpr size_t LeastBarWidth = 20;
// The same for bars of limited width.
constexpr size_t LeastShortBar = 8;
// By how much the compact form's cells are wider than their contents.
constexpr size_t CompactSlack = 5;

struct Grid {
  const Table &T;
  bool Colours;
  Strings Header;
  std::vector<size_t> Columns; ///< of T, those shown
  std::vector<Strings> Rows;
  Legend Elided;
  size_t BarWidth = 0;    ///< of the last column, where it holds bars
  size_t Hottest = NoRow; ///< the row with the largest share of its own

  Grid(const Table &T, bool Colours);
  /// Gives the remaining room to the last column, if it holds bars.
  void drawBars(const Terminal &Where);
  size_t width(size_t Column) const;
  void elideNames(size_t Width);
  /// Cuts the columns that may be cut until the table is at most WIDTH wide, or
  /// they are at most LEAST wide.
  void cutTexts(size_t Width, size_t Least);
  /// Removes the column with the highest priority number; false if there is
  /// none.
  bool dropColumn();
  /// TEXT, the laid-out cell of that row and column, in its colour.
  std::string coloured(std::string Text, size_t Row, size_t Column) const;
  /// The escape sequence of a row's name, or null.
  const char *colourOf(size_t Row) const;
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

std::string lightningLine(const Grid &G, const Strings &Cells, size_t NameWidth,
                          size_t Row = NoRow) {
  std::string Line = padded(Cells[0], NameWidth, true) + "\t|";
  for (size_t I = 1; I < Cells.size(); ++I) {
    // The calls' cell has no blanks before it.
    bool IsCalls = I == 2;
    Line += (IsCalls ? "" : "  ") +
            G.coloured(padded(Cells[I], LightningCell, true), Row, I) + "\t|";
  }
  return Line;
}

void appendLightning(std::string &Out, const Grid &G) {
  size_t NameWidth = G.width(0);
  std::string Header = lightningLine(G, G.Header, NameWidth);
  std::string Rule(expandedWidth(Header) - LightningRuleShort, '-');
  Out += Header + '\n' + Rule + '\n';
  for (size_t I = 0; I < G.Rows.size(); ++I) {
    Out += lightningLine(G, G.Rows[I], NameWidth, I) + '\n';
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
  std::vector<size_t> Widths;
  for (size_t I = 0; I < G.Header.size(); ++I)
    Widths.push_back(G.width(I));
  auto Append = [&](const Strings &Cells, size_t Row) {
    std::string Line;
    for (size_t I = 0; I < Cells.size(); ++I)
      Line += (I == 0 ? "" : "  ") +
              G.coloured(padded(Cells[I], Widths[I],
                                isLeftAligned(G.T.Columns[G.Columns[I]])),
                         Row, I);
    trimEnd(Line);
    Out += Line + '\n';
  };
  std::string Rule(plainWidth(G), '-');
  Append(G.Header, NoRow);
  Out += Rule + '\n';
  for (size_t I = 0; I < G.Rows.size(); ++I) {
    Append(G.Rows[I], I);
    if (G.T.Rows[I].IsTotal)
      Out += Rule + '\n';
  }
}

// Appends the table in LAYOUT, at most WIDTH wide as far as eliding names
// allows.
void appendGrid(std::string &Out, Grid &G, Layout As, size_t Width) {
  if (As == Layout::Lightning)
    return appendLightning(Out, G);
  if (As == Layout::CProfile)
    return appendCProfile(Out, G);
  if (As == Layout::Plain) {
    auto Excess = [&] {
      return G.width(0) - std::min(G.width(0), GoodNameWidth);
    };
    G.cutTexts(Width, GoodCutWidth);
    while (plainWidth(G) > Width && plainWidth(G) - Excess() > Width &&
           G.dropColumn())
      ;
    G.cutTexts(Width == NoLimit ? NoLimit : Width + Excess(), LeastCutWidth);
  }
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

BarStyle barStyle(const Terminal &Where) { return {Where.Utf8, Where.Colours}; }

size_t barRoom(const Terminal &Where) {
  return Where.Width == NoLimit ? UsualWidth : Where.Width;
}

// What the bars' segments stand for, as many per line as fit.
void appendKeys(std::string &Out, const Table &T, const Terminal &Where) {
  size_t Used = 0;
  for (size_t I = 0; I < T.Keys.size(); ++I) {
    if (T.Keys[I].Name.empty())
      continue;
    size_t Next = displayWidth(drawKey(T.Keys, I, {Where.Utf8, false}));
    bool Fits = Used != 0 && Used + 2 + Next <= barRoom(Where);
    Out += Used == 0 ? "" : Fits ? "  " : "\n";
    Out += drawKey(T.Keys, I, barStyle(Where));
    Used = Fits ? Used + 2 + Next : Next;
  }
  if (Used != 0)
    Out += '\n';
}

// A line naming the columns that G left out, or nothing. A short bar only
// repeats a share.
std::string leftOut(const Grid &G) {
  std::string Names;
  for (size_t I = 0; I < G.T.Columns.size(); ++I)
    if (G.T.Columns[I].Format != Style::Bar &&
        std::find(G.Columns.begin(), G.Columns.end(), I) == G.Columns.end())
      Names += (Names.empty() ? "" : ", ") + G.T.Columns[I].Key;
  return Names.empty() ? Names
                       : fmt::format("Left out to fit the width: {}; --width "
                                     "all shows every column.",
                                     Names);
}

bool hasCuts(const Grid &G) {
  for (size_t I = 1; I < G.Columns.size(); ++I)
    if (G.T.Columns[G.Columns[I]].MayCut &&
        std::any_of(G.Rows.begin(), G.Rows.end(), [&](const Strings &Cells) {
          return Cells[I].ends_with("…");
        }))
      return true;
  return false;
}

void appendLines(std::string &Out, const Strings &Lines,
                 const Terminal &Where) {
  for (const std::string &Line : Lines)
    Out += wrapWords(withoutCodeMarks(Line), Where.Width) + '\n';
}

void appendTable(std::string &Out, const Table &T, Layout As,
                 const Terminal &Where) {
  if (!T.Title.empty())
    Out += wrapWords(T.Title, Where.Width) +
           (As == Layout::CProfile || T.Columns.empty() ? "\n" : "\n\n");
  appendLines(Out, T.Preamble, Where);
  Grid G(T, Where.Colours);
  if (!T.Columns.empty()) {
    G.drawBars(Where);
    appendGrid(Out, G, As, Where.Width);
  }
  appendKeys(Out, T, Where);
  for (const auto &[Short, Full] : G.Elided)
    Out += fmt::format("  {} = {}\n", Short, Full);
  if (std::string Line = leftOut(G); !Line.empty())
    appendLines(Out, {Line}, Where);
  if (hasCuts(G))
    appendLines(Out, {"Texts that end in … are cut; --width all shows them."},
                Where);
  if (T.HiddenRows != 0)
    Out += fmt::format("{} more row{} hidden; --rows all shows all.\n",
                       T.HiddenRows, T.HiddenRows == 1 ? " is" : "s are");
  appendLines(Out, T.Notes, Where);
}
} // namespace

Grid::Grid(const Table &T, bool Colours) : T(T), Colours(Colours) {
  for (const Column &C : T.Columns) {
    Columns.push_back(Header.size());
    Header.push_back(C.Header);
  }
  for (const Row &R : T.Rows) {
    Strings Cells;
    for (size_t I = 0; I < R.Cells.size(); ++I)
      Cells.push_back(cellText(R.Cells[I], T.Columns[I]));
    Cells[0].insert(0, static_cast<size_t>(R.Depth) * 2, ' ');
    Rows.push_back(std::move(Cells));
    if (!R.IsTotal && R.OwnPercent &&
        (Hottest == NoRow || *R.OwnPercent > *T.Rows[Hottest].OwnPercent))
      Hottest = Rows.size() - 1;
  }
}

void Grid::drawBars(const Terminal &Where) {
  if (T.Columns.empty() || T.Columns.back().Format != Style::Bar)
    return;
  size_t Last = T.Columns.size() - 1;
  size_t Used = 0;
  for (size_t I = 0; I < Last; ++I)
    Used += width(I) + 2;
  size_t Most = T.Columns.back().MostCells;
  BarWidth = std::max(barRoom(Where),
                      Used + (Most == 0 ? LeastBarWidth : LeastShortBar)) -
             Used;
  if (Most != 0)
    BarWidth = std::min(BarWidth, Most);
  for (size_t I = 0; I < Rows.size(); ++I)
    if (const auto *Drawn = std::get_if<Bar>(&T.Rows[I].Cells[Last].Value))
      Rows[I][Last] = drawBar(*Drawn, T.Keys, BarWidth, barStyle(Where));
    else if (const auto *Curved =
                 std::get_if<Curve>(&T.Rows[I].Cells[Last].Value))
      Rows[I][Last] = drawCurve(*Curved, BarWidth, barStyle(Where));
  size_t Tab = Header[Last].find('\t');
  if (Tab == std::string::npos)
    return;
  std::string Left = Header[Last].substr(0, Tab);
  std::string Right = Header[Last].substr(Tab + 1);
  size_t Ends = displayWidth(Left) + displayWidth(Right);
  Header[Last] =
      Left + std::string(BarWidth > Ends ? BarWidth - Ends : 1, ' ') + Right;
}

size_t Grid::width(size_t Column) const {
  // A bar's escape sequences take no room.
  if (BarWidth != 0 && Columns[Column] + 1 == T.Columns.size())
    return BarWidth;
  size_t Width = displayWidth(Header[Column]);
  for (const Strings &Cells : Rows)
    Width = std::max(Width, displayWidth(Cells[Column]));
  return Width;
}

void Grid::elideNames(size_t Width) {
  for (Strings &Cells : Rows)
    Cells[0] = elide(Cells[0], Width, Elided);
}

void Grid::cutTexts(size_t Width, size_t Least) {
  for (size_t I = 1; I < Columns.size(); ++I) {
    size_t All = plainWidth(*this);
    if (All <= Width || !T.Columns[Columns[I]].MayCut || width(I) <= Least)
      continue;
    size_t Over = All - Width;
    size_t Room = std::max(width(I) > Over ? width(I) - Over : 0, Least);
    for (Strings &Cells : Rows)
      Cells[I] = cutEnd(Cells[I], Room);
  }
}

bool Grid::dropColumn() {
  size_t Best = 0;
  for (size_t I = 1; I < Columns.size(); ++I)
    if (T.Columns[Columns[I]].Priority > T.Columns[Columns[Best]].Priority)
      Best = I;
  if (Columns.empty() || T.Columns[Columns[Best]].Priority == 0)
    return false;
  auto Erase = [&](auto &From) {
    From.erase(From.begin() + static_cast<ptrdiff_t>(Best));
  };
  Erase(Columns);
  Erase(Header);
  for (Strings &Cells : Rows)
    Erase(Cells);
  return true;
}

const char *Grid::colourOf(size_t Row) const {
  const auto &Of = T.Rows[Row];
  if (Of.Look != Tone::ByShare)
    return Of.Look == Tone::Bad ? Red : Green;
  if (Of.OwnPercent.value_or(0) < LargeShare)
    return nullptr;
  return Row == Hottest ? Red : Yellow;
}

std::string Grid::coloured(std::string Text, size_t Row, size_t Column) const {
  if (!Colours || Row == NoRow || T.Rows[Row].IsTotal)
    return Text;
  size_t From = Columns[Column];
  bool IsShare = T.Columns[From].Key.find("percent") != std::string::npos;
  if (!IsShare && T.Columns[From].Format != Style::Text)
    return Text;
  const char *Start = colourOf(Row);
  const auto *Share = std::get_if<double>(&T.Rows[Row].Cells[From].Value);
  if (!Start && T.Rows[Row].OwnPercent && IsShare && Share &&
      *Share < SmallShare)
    Start = Faint;
  return Start ? Start + std::move(Text) + "\x1b[0m" : Text;
}

std::string loopscope::withAsciiUnits(std::string Text) {
  constexpr std::string_view Micro = "µs";
  for (size_t At = Text.find(Micro); At != std::string::npos;
       At = Text.find(Micro, At + 1))
    if (At > 0 && (Text[At - 1] == ' ' ||
                   std::isdigit(static_cast<unsigned char>(Text[At - 1])) != 0))
      Text.replace(At, Micro.size(), "us");
  return Text;
}

std::string loopscope::printText(const std::vector<Section> &Report,
                                 const Terminal &Where) {
  Terminal Limited = Where;
  if (Limited.Width == 0)
    Limited.Width = NoLimit;
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
      if (As == Layout::Lightning && Where.Style != TableStyle::Lightning)
        As = Layout::Plain;
      appendTable(Result, S.Tables[I], As, Limited);
    }
    if (!S.Tables.empty() && !S.Footer.empty())
      Result += '\n';
    appendLines(Result, S.Footer, Limited);
  }
  return Where.Utf8 ? Result : withAsciiUnits(std::move(Result));
}

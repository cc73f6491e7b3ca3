// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of bars.

#include "Report/Print/Bar.h"

#include "Report/Print/Sparkline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace loopscope;

namespace {
constexpr size_t Nothing = static_cast<size_t>(-1);

const char *fillOf(Fill Pattern, bool Utf8) {
  switch (Pattern) {
  case Fill::Solid:
    return Utf8 ? "█" : "=";
  case Fill::Light:
    return Utf8 ? "░" : "-";
  case Fill::Dots:
    return Utf8 ? "·" : ".";
  }
  return " ";
}

// The SGR code of a key: yellow for light fills, dim for dots, the rest in
// rotation.
int colorOf(const std::vector<BarKey> &Keys, size_t Key) {
  constexpr std::array Turn = {32, 34, 35, 36, 31, 92, 94, 95, 96, 91};
  if (Keys[Key].Pattern != Fill::Solid)
    return Keys[Key].Pattern == Fill::Light ? 33 : 2;
  auto Before = std::count_if(
      Keys.begin(), Keys.begin() + static_cast<ptrdiff_t>(Key),
      [](const BarKey &Each) { return Each.Pattern == Fill::Solid; });
  return Turn[static_cast<size_t>(Before) % Turn.size()];
}

// LENGTH cells of a key, the first showing its symbol; dots need none.
std::string run(const std::vector<BarKey> &Keys, size_t Key, size_t Length,
                BarStyle Style) {
  const BarKey &K = Keys[Key];
  std::string Text;
  for (size_t I = 0; I < Length; ++I)
    if (I == 0 && K.Pattern != Fill::Dots && K.Symbol != 0)
      Text += K.Symbol;
    else
      Text += fillOf(K.Pattern, Style.Utf8);
  return Style.Color
             ? fmt::format("\033[{}m{}\033[0m", colorOf(Keys, Key), Text)
             : Text;
}

// By cell, the segment that fills most of it, or Nothing.
std::vector<size_t> cellsOf(const Bar &What, size_t Width) {
  std::vector<size_t> Cells(Width, Nothing);
  size_t First = 0; // the first segment that may reach into the cell
  auto Cell = 1.0 / static_cast<double>(Width);
  for (size_t I = 0; I < Width; ++I) {
    double Start = static_cast<double>(I) * Cell;
    double End = Start + Cell;
    while (First < What.Segments.size() && What.Segments[First].To <= Start)
      ++First;
    double Most = 0;
    double Covered = 0;
    for (size_t S = First;
         S < What.Segments.size() && What.Segments[S].From < End; ++S) {
      double Part = std::min(What.Segments[S].To, End) -
                    std::max(What.Segments[S].From, Start);
      Covered += Part;
      if (Part > Most) {
        Most = Part;
        Cells[I] = S;
      }
    }
    if (Cell - Covered > Most)
      Cells[I] = Nothing;
  }
  return Cells;
}
} // namespace

std::string loopscope::drawBar(const Bar &What, const std::vector<BarKey> &Keys,
                               size_t Width, BarStyle Style) {
  std::vector<size_t> Cells = cellsOf(What, Width);
  std::string Result;
  size_t Blanks = 0; // not drawn until something follows
  for (size_t I = 0; I < Width;) {
    size_t End = I;
    while (End < Width && Cells[End] == Cells[I])
      ++End;
    if (Cells[I] == Nothing) {
      Blanks += End - I;
    } else {
      Result.append(Blanks, ' ');
      Blanks = 0;
      Result += run(Keys, What.Segments[Cells[I]].Key, End - I, Style);
    }
    I = End;
  }
  return Result;
}

std::string loopscope::drawCurve(const Curve &What, size_t Width,
                                 BarStyle Style) {
  auto Cell = 1.0 / static_cast<double>(Width);
  std::vector<double> Means;
  for (size_t I = 0; I < Width; ++I) {
    double Start = static_cast<double>(I) * Cell;
    double Sum = 0;
    double Covered = 0;
    for (const CurvePiece &Each : What.Pieces) {
      double Part =
          std::min(Each.To, Start + Cell) - std::max(Each.From, Start);
      if (Part <= 0 || std::isnan(Each.Value))
        continue;
      Sum += Part * Each.Value;
      Covered += Part;
    }
    Means.push_back(Covered > 0 ? Sum / Covered
                                : std::numeric_limits<double>::quiet_NaN());
  }
  // Unlike what isn't known, 0 isn't blank.
  constexpr double LeastPart = 1.0 / 8;
  double Most = 0;
  for (double Each : Means)
    Most = std::max(Most, Each);
  for (double &Each : Means)
    if (Each < Most * LeastPart || Each == 0)
      Each = Most > 0 ? Most * LeastPart : 0;
  return sparkline(Means, Style.Utf8);
}

std::string loopscope::drawKey(const std::vector<BarKey> &Keys, size_t Key,
                               BarStyle Style) {
  size_t Cells = Keys[Key].Pattern == Fill::Dots ? 1 : 2;
  return run(Keys, Key, Cells, Style) + ' ' + Keys[Key].Name;
}

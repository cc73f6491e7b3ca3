// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heights rounded to the nearest character.

#include "Report/Print/Sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

using namespace loopscope;

std::string loopscope::sparkline(const std::vector<double> &Values, bool Utf8) {
  constexpr size_t Heights = 9;
  constexpr std::array<const char *, Heights> Eighths = {
      " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<const char *, Heights> Ascii = {" ", "_", ".", ",", "-",
                                                       "=", "+", "*", "#"};
  double Largest = 0;
  for (double Each : Values)
    Largest = std::max(Largest, Each);
  std::string Result;
  for (double Each : Values) {
    double Part = Largest > 0 && !std::isnan(Each) ? Each / Largest : 0;
    auto Height = static_cast<size_t>(
        std::lround(Part * static_cast<double>(Heights - 1)));
    Result += (Utf8 ? Eighths : Ascii)[Height];
  }
  return Result;
}

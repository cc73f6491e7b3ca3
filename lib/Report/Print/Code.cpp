// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding pairs of backticks.

#include "Report/Print/Code.h"

#include <string_view>

using namespace loopscope;

namespace {
constexpr char Mark = '`';

bool opensAt(const std::string &Line, size_t At) {
  return At == 0 || Line[At - 1] == ' ' || Line[At - 1] == '(';
}

bool closesAt(const std::string &Line, size_t At) {
  constexpr std::string_view After = " .,;:)";
  return At + 1 == Line.size() ||
         After.find(Line[At + 1]) != std::string_view::npos;
}
} // namespace

std::vector<TextPart> loopscope::codeParts(const std::string &Line) {
  std::vector<TextPart> Parts;
  size_t Start = 0;
  for (size_t Open = Line.find(Mark); Open != std::string::npos;
       Open = Line.find(Mark, Open + 1)) {
    size_t Close = Line.find(Mark, Open + 1);
    if (Close == std::string::npos)
      break;
    if (Close == Open + 1 || !opensAt(Line, Open) || !closesAt(Line, Close))
      continue;
    if (Open > Start)
      Parts.push_back({Line.substr(Start, Open - Start), false});
    Parts.push_back({Line.substr(Open + 1, Close - Open - 1), true});
    Start = Close + 1;
    Open = Close;
  }
  if (Start < Line.size())
    Parts.push_back({Line.substr(Start), false});
  return Parts;
}

std::string loopscope::withoutCodeMarks(const std::string &Line) {
  std::string Result;
  for (const TextPart &Each : codeParts(Line))
    Result += Each.Text;
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy: as many words to a line as fit.

#include "Report/Print/Wrap.h"

#include "Report/Print/Elide.h"

#include <algorithm>

using namespace loopscope;

std::string loopscope::wrapWords(const std::string &Line, size_t Width) {
  if (Width == 0 || displayWidth(Line) <= Width)
    return Line;
  size_t Start = std::min(Line.find_first_not_of(' '), Line.size());
  const std::string Break = '\n' + std::string(Start + 2, ' ');
  std::string Result = Line.substr(0, Start);
  size_t Used = Start;
  for (size_t At = Start; At < Line.size();) {
    // A word with the blanks in front of it.
    size_t Word = std::min(Line.find_first_not_of(' ', At), Line.size());
    size_t End = std::min(Line.find(' ', Word), Line.size());
    size_t Gap = Word - At;
    size_t Wide = displayWidth(Line.substr(Word, End - Word));
    if (At != Start && Used + Gap + Wide > Width) {
      Result += Break;
      Used = Break.size() - 1;
      Gap = 0;
    }
    Result += std::string(Gap, ' ') + Line.substr(Word, End - Word);
    Used += Gap + Wide;
    At = End;
  }
  return Result;
}

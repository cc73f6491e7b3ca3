// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for names of called functions.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_CALLEENAME_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_CALLEENAME_H

#include <string>
#include <string_view>

namespace loopscope::instrument {

/// \p Name without template arguments.
inline std::string withoutArguments(std::string_view Name) {
  std::string Result;
  int Depth = 0;
  for (char C : Name) {
    Depth += C == '<';
    if (Depth == 0)
      Result += C;
    Depth -= C == '>';
  }
  return Result;
}

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_CALLEENAME_H

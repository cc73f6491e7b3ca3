// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotes csv fields, and turns formulas into text.

#include "Report/Print/Csv.h"

#include <charconv>

using namespace loopscope;

namespace {
bool isNumber(std::string_view Text) {
  double Value = 0;
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Code == std::errc() && End == Text.data() + Text.size() &&
         Text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

bool isFormula(std::string_view Text) {
  for (std::string_view Start :
       {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"})
    if (Text.starts_with(Start))
      return !isNumber(Text);
  return false;
}
} // namespace

std::string loopscope::csvText(std::string_view Text, bool Bare) {
  std::string Quoted = !Bare && isFormula(Text) ? "\"'" : "\"";
  for (char C : Text) {
    if (C == '"')
      Quoted += '"';
    Quoted += C;
  }
  return Quoted + '"';
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole numbers keep all their digits.

#include "Run/Model/FactNumbers.h"

#include <charconv>

using namespace loopscope;

namespace {
template <typename T> std::optional<T> numberOf(const std::string &Text) {
  T Value{};
  const char *End = Text.data() + Text.size();
  auto [At, Failed] = std::from_chars(Text.data(), End, Value);
  return Failed == std::errc() && At == End ? std::optional(Value)
                                            : std::nullopt;
}
} // namespace

std::optional<FactValue> loopscope::factOfNumber(const std::string &Text) {
  bool IsWhole = Text.find_first_not_of("-0123456789") == std::string::npos;
  if (IsWhole && Text != "-0") {
    if (auto Signed = numberOf<int64_t>(Text))
      return *Signed;
    if (auto Unsigned = numberOf<uint64_t>(Text))
      return *Unsigned;
    return Text.empty() ? std::nullopt : std::optional<FactValue>(Text);
  }
  if (Text.find_first_not_of("+-.0123456789eE") != std::string::npos)
    return std::nullopt;
  if (auto Real = numberOf<double>(Text))
    return *Real;
  return Text;
}

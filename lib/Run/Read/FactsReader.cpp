// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every fact.

#include "Run/Read/FactsReader.h"

#include "Support/Printable.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

using namespace loopscope;

namespace {
template <typename T> std::optional<T> numberOf(const std::string &Text) {
  T Value{};
  const char *End = Text.data() + Text.size();
  auto [At, Failed] = std::from_chars(Text.data(), End, Value);
  return Failed == std::errc() && At == End ? std::optional(Value)
                                            : std::nullopt;
}

// A number as JSON spells it; what doubles can't hold stays text.
std::optional<FactValue> numeralOf(const std::string &Text) {
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

std::optional<FactValue> valueOf(const loopscope_fact_record &Fact) {
  double Real = 0;
  std::memcpy(&Real, &Fact.value, sizeof(Real));
  std::string Text(Fact.text, strnlen(Fact.text, sizeof(Fact.text)));
  switch (Fact.type) {
  case LOOPSCOPE_FACT_SIGNED:
    return static_cast<int64_t>(Fact.value);
  case LOOPSCOPE_FACT_UNSIGNED:
    return Fact.value;
  case LOOPSCOPE_FACT_REAL:
    return Real;
  case LOOPSCOPE_FACT_BOOL:
    return Fact.value != 0;
  case LOOPSCOPE_FACT_TEXT:
    return printable(Text);
  case LOOPSCOPE_FACT_NUMERAL:
    return numeralOf(Text);
  default:
    return std::nullopt;
  }
}
} // namespace

std::vector<RunFact> loopscope::readFacts(ProfileBytes &Records,
                                          Integrity &Lost) {
  std::vector<RunFact> Result;
  for (const auto &Record : Records.facts()) {
    const loopscope_fact_record &Fact = Record.Value;
    Lost.TornNodes += Record.Torn;
    if (Record.Torn)
      continue;
    std::string Name =
        printable({Fact.name, strnlen(Fact.name, sizeof(Fact.name))});
    std::optional<FactValue> Value = valueOf(Fact);
    bool IsNew =
        std::ranges::find(Result, Name, &RunFact::Name) == Result.end();
    if (!Name.empty() && IsNew && Value)
      Result.push_back({std::move(Name), {{std::move(*Value)}}});
    else if (Fact.type <= LOOPSCOPE_FACT_NUMERAL)
      ++Lost.BadRecords;
  }
  return Result;
}

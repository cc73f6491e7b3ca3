// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every fact.

#include "Run/Read/FactsReader.h"

#include "Run/Model/FactNumbers.h"
#include "Support/Printable.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

using namespace loopscope;

namespace {
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
    return factOfNumber(Text);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts as text, and those of several processes.

#include "Run/Model/Facts.h"

#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

using namespace loopscope;

namespace {
template <typename... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// A whole number as one of two types; a real one if it is whole and fits.
std::optional<std::variant<int64_t, uint64_t>> wholeOf(const FactValue &Value) {
  if (const auto *Signed = std::get_if<int64_t>(&Value))
    return *Signed;
  if (const auto *Unsigned = std::get_if<uint64_t>(&Value))
    return *Unsigned;
  const auto *Real = std::get_if<double>(&Value);
  constexpr double Least = -0x1p63;
  constexpr double End = 0x1p64;
  if (!Real || !(*Real >= Least && *Real < End) || std::trunc(*Real) != *Real)
    return std::nullopt;
  if (*Real < 0)
    return static_cast<int64_t>(*Real);
  return static_cast<uint64_t>(*Real);
}

bool isWord(const std::string &Text) {
  return !Text.empty() && std::ranges::none_of(Text, [](char C) {
    return C == ' ' || C == ',' || C == ';' || C == '"' || C == '\\';
  });
}
} // namespace

bool loopscope::isSame(const FactValue &A, const FactValue &B) {
  auto WholeA = wholeOf(A);
  auto WholeB = wholeOf(B);
  if (WholeA && WholeB)
    return std::visit(
        [](auto Left, auto Right) { return std::cmp_equal(Left, Right); },
        *WholeA, *WholeB);
  // NaN is the same as NaN: nothing changed.
  const auto *RealA = std::get_if<double>(&A);
  const auto *RealB = std::get_if<double>(&B);
  if (RealA && RealB && std::isnan(*RealA) && std::isnan(*RealB))
    return true;
  return A == B;
}

std::string loopscope::factText(const FactValue &Value) {
  return std::visit(
      Overloaded{
          [](bool Flag) -> std::string { return Flag ? "true" : "false"; },
          [](double Real) {
            return std::isfinite(Real) ? shortest(Real)
                                       : fmt::format("{}", Real);
          },
          [](const std::string &Text) {
            return isWord(Text) ? Text : doubleQuoted(Text);
          },
          [](auto Whole) { return fmt::format("{}", Whole); }},
      Value);
}

void loopscope::mergeFacts(std::vector<RunFact> &To,
                           const std::vector<RunFact> &From,
                           const std::string &Process) {
  for (const RunFact &Each : From) {
    auto Known = std::ranges::find(To, Each.Name, &RunFact::Name);
    if (Known == To.end())
      Known = To.insert(To.end(), {Each.Name, {}});
    for (const RunFact::Said &Said : Each.Values) {
      auto Same =
          std::ranges::find_if(Known->Values, [&](const RunFact::Said &Other) {
            return isSame(Other.Value, Said.Value);
          });
      if (Same == Known->Values.end())
        Same = Known->Values.insert(Known->Values.end(), {Said.Value, {}});
      if (Said.By.empty())
        Same->By.push_back(Process);
      else
        Same->By.insert(Same->By.end(), Said.By.begin(), Said.By.end());
    }
  }
}

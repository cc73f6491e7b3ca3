// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts, order and ranges of keys.

#include "Run/Model/Keys.h"

#include "Run/Model/Run.h"

#include <fmt/format.h>
#include <loopscope/key_rows.h>

#include <map>
#include <set>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
bool isNumber(const SpanKey &K) {
  return K.Type >= LOOPSCOPE_KEY_SIGNED && K.Type <= LOOPSCOPE_KEY_CHAR;
}

bool isNegative(const SpanKey &K) { return keys::isNegative(K.Type, K.Value); }

// The range of a number.
uint64_t rangeOf(const SpanKey &K) { return keys::rangeOf(K.Type, K.Value); }

std::string rangeText(uint64_t Range) {
  if (Range == keys::ZeroRange)
    return "0";
  uint64_t First = uint64_t{1} << Range % keys::NegativeRanges;
  uint64_t Last = First * 2 - 1;
  if (First == 1)
    return Range < keys::NegativeRanges ? "1" : "-1";
  return Range < keys::NegativeRanges ? fmt::format("{}..{}", First, Last)
                                      : fmt::format("-{}..-{}", Last, First);
}

// Sorts as the numbers do: the sign, and the value or its complement.
std::pair<int, uint64_t> place(const SpanKey &K) {
  if (K.Type != LOOPSCOPE_KEY_RANGE)
    return {isNegative(K) ? 0 : 1, K.Value};
  if (K.Value == keys::ZeroRange)
    return {1, 0};
  uint64_t First = uint64_t{1} << K.Value % keys::NegativeRanges;
  return K.Value < keys::NegativeRanges ? std::pair(1, First)
                                        : std::pair(0, 0 - (First * 2 - 1));
}

int group(const SpanKey &K) {
  return isNumber(K) || K.Type == LOOPSCOPE_KEY_RANGE ? 0
         : K.Type == LOOPSCOPE_KEY_TEXT               ? 1
                                                      : 2;
}
} // namespace

std::string loopscope::keyText(const SpanKey &K) {
  if (isNumber(K) && !K.Text.empty())
    return K.Text;
  switch (K.Type) {
  case LOOPSCOPE_KEY_NONE:
  case LOOPSCOPE_KEY_TYPE_NAME: // which the reader makes a text of
    break;
  case LOOPSCOPE_KEY_SIGNED:
    return fmt::format("{}", static_cast<int64_t>(K.Value));
  case LOOPSCOPE_KEY_UNSIGNED:
    return fmt::format("{}", K.Value);
  case LOOPSCOPE_KEY_BOOL:
    return K.Value == 0 ? "false" : "true";
  case LOOPSCOPE_KEY_CHAR:
    if (K.Value > ' ' && K.Value < 0x7f)
      return fmt::format("'{}'", static_cast<char>(K.Value));
    return fmt::format("{}", static_cast<int64_t>(K.Value));
  case LOOPSCOPE_KEY_TEXT:
    return K.Text;
  case LOOPSCOPE_KEY_RANGE:
    return rangeText(K.Value);
  case LOOPSCOPE_KEY_OTHER:
    return "(other)";
  }
  return "?";
}

std::string loopscope::keyedName(const Run &R, const Node &N) {
  return fmt::format("{}[{}]", R.nameOf(N), keyText(R.Keys[N.Key]));
}

bool loopscope::isBefore(const SpanKey &A, const SpanKey &B) {
  return std::tuple(group(A), place(A), A) < std::tuple(group(B), place(B), B);
}

void loopscope::foldKeys(const std::vector<Run *> &Runs) {
  // By phase and label, the ranges that it has in any run.
  std::map<std::tuple<std::string, std::string>, std::set<uint64_t>> RangesOf;
  for (const Run *R : Runs)
    for (const Node &N : R->Nodes)
      if (N.Key != None && R->Keys[N.Key].Type == LOOPSCOPE_KEY_RANGE)
        RangesOf[{R->nameOf(N), R->Keys[N.Key].Label}].insert(
            R->Keys[N.Key].Value);
  for (Run *R : Runs) {
    std::map<SpanKey, uint32_t> PlaceOf;
    for (uint32_t I = 0; I < R->Keys.size() && !RangesOf.empty(); ++I)
      PlaceOf.emplace(R->Keys[I], I);
    for (Node &N : R->Nodes) {
      if (RangesOf.empty() || N.Key == None || !isNumber(R->Keys[N.Key]))
        continue;
      const SpanKey &K = R->Keys[N.Key];
      auto Found = RangesOf.find({R->nameOf(N), K.Label});
      if (Found == RangesOf.end() || !Found->second.contains(rangeOf(K)))
        continue;
      SpanKey Range = {K.Label, LOOPSCOPE_KEY_RANGE, rangeOf(K), ""};
      auto [Place, IsNew] =
          PlaceOf.try_emplace(Range, static_cast<uint32_t>(R->Keys.size()));
      if (IsNew)
        R->Keys.push_back(std::move(Range));
      N.Key = Place->second;
    }
  }
}

void loopscope::nameByKey(Run &R) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> SiteOf;
  for (Node &N : R.Nodes) {
    if (N.Key == None || N.Site == None)
      continue;
    auto [Found, IsNew] = SiteOf.try_emplace(
        {N.Site, N.Key}, static_cast<uint32_t>(R.Sites.size()));
    if (IsNew) {
      Site Next = R.Sites[N.Site];
      Next.Name = keyedName(R, N);
      R.Sites.push_back(std::move(Next));
    }
    N.Site = Found->second;
    N.Key = None;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edit distances between words.

#include "Support/Suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace {
// The number of letters to change, insert, remove or swap with the next one.
size_t distance(std::string_view A, std::string_view B) {
  std::vector<size_t> Before(B.size() + 1), Last(B.size() + 1),
      Next(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Last[J] = J;
  for (size_t I = 1; I <= A.size(); ++I) {
    Next[0] = I;
    for (size_t J = 1; J <= B.size(); ++J) {
      Next[J] = std::min({Last[J] + 1, Next[J - 1] + 1,
                          Last[J - 1] + (A[I - 1] == B[J - 1] ? 0 : 1)});
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        Next[J] = std::min(Next[J], Before[J - 2] + 1);
    }
    std::swap(Before, Last);
    std::swap(Last, Next);
  }
  return Last[B.size()];
}
} // namespace

std::string loopscope::nearestTo(std::string_view Word,
                                 const std::vector<std::string> &Choices) {
  const std::string *Best = nullptr;
  size_t Limit = (Word.size() + 2) / 3; // the most that may be wrong
  for (const std::string &Each : Choices)
    if (size_t Wrong = distance(Word, Each);
        Wrong < Limit + (Best == nullptr ? 1 : 0)) {
      Best = &Each;
      Limit = Wrong;
    }
  return Best == nullptr ? "" : *Best;
}

std::string loopscope::suggestionFor(std::string_view Word,
                                     const std::vector<std::string> &Choices) {
  std::string Nearest = nearestTo(Word, Choices);
  return Nearest.empty() ? "" : fmt::format("did you mean '{}'?", Nearest);
}

std::string loopscope::chooseFrom(std::string_view Word,
                                  const std::vector<std::string> &Choices) {
  std::string Near = suggestionFor(Word, Choices);
  return fmt::format("{} one of {}", Near.empty() ? "use" : Near + " Use",
                     fmt::join(Choices, ", "));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edit distances of short words.

#include "nearest.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
// Longer words have no near matches.
constexpr size_t MostLetters = 24;

size_t least(size_t A, size_t B) { return A < B ? A : B; }

// Number of letters to change, insert, drop or swap with the next one.
size_t distance(const char *A, size_t SizeA, const char *B, size_t SizeB) {
  size_t Rows[3][MostLetters + 1];
  size_t *Before = Rows[0], *Last = Rows[1], *Next = Rows[2];
  for (size_t J = 0; J <= SizeB; ++J)
    Last[J] = J;
  for (size_t I = 1; I <= SizeA; ++I) {
    Next[0] = I;
    for (size_t J = 1; J <= SizeB; ++J) {
      Next[J] = least(least(Last[J] + 1, Next[J - 1] + 1),
                      Last[J - 1] + (A[I - 1] == B[J - 1] ? 0 : 1));
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        Next[J] = least(Next[J], Before[J - 2] + 1);
    }
    size_t *Free = Before;
    Before = Last;
    Last = Next;
    Next = Free;
  }
  return Last[SizeB];
}
} // namespace

Nearest::Nearest(const char *Word)
    : Word(Word), Size(strlen(Word)), Limit((Size + 2) / 3) {}

void Nearest::consider(const char *Name, size_t Length, const char *Shown) {
  if (Size > MostLetters || Length > MostLetters)
    return;
  size_t Wrong = distance(Word, Size, Name, Length);
  if (Wrong >= Limit + (Best == nullptr ? 1 : 0))
    return;
  Best = Shown;
  Limit = Wrong;
}

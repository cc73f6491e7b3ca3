// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open addressing: places of a key, wrapping around, free places, and limits.

#include "base/probe.h"

#include <gtest/gtest.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t Size = 8;

// Keys are their own hashes; 0 is a free place.
size_t placeOf(uint64_t (&Table)[Size], uint64_t Key, size_t Most = Size) {
  uint64_t *Found = probe(
      Table, Size, Key, [Key](uint64_t Its) { return Its == 0 || Its == Key; },
      Most);
  return Found == nullptr ? SIZE_MAX : static_cast<size_t>(Found - Table);
}

TEST(Probe, FindsTheKeyOrAFreePlace) {
  uint64_t Table[Size] = {};
  EXPECT_EQ(placeOf(Table, 3), 3U);
  Table[3] = 3;
  EXPECT_EQ(placeOf(Table, 3), 3U);
  EXPECT_EQ(placeOf(Table, 11), 4U); // 3's place is taken
  Table[4] = 11;
  EXPECT_EQ(placeOf(Table, 11), 4U);
  EXPECT_EQ(placeOf(Table, 4), 5U);
}

TEST(Probe, WrapsAround) {
  uint64_t Table[Size] = {};
  Table[7] = 7;
  EXPECT_EQ(placeOf(Table, 15), 0U);
  Table[0] = 15;
  EXPECT_EQ(placeOf(Table, 15), 0U);
  EXPECT_EQ(placeOf(Table, ~uint64_t(0)), 1U); // the hash overflows
}

TEST(Probe, GivesUpAfterMost) {
  uint64_t Table[Size] = {};
  for (uint64_t I = 0; I < Size; ++I)
    Table[I] = 100 + I;
  EXPECT_EQ(placeOf(Table, 1), SIZE_MAX);
  Table[5] = 0;
  EXPECT_EQ(placeOf(Table, 1), 5U);
  EXPECT_EQ(placeOf(Table, 1, 4), SIZE_MAX);
  EXPECT_EQ(placeOf(Table, 1, 5), 5U);
}
} // namespace

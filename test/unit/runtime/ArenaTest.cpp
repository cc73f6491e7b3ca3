// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects in an arena: apart, aligned, zeroed, and known by their addresses.

#include "base/arena.h"

#include <gtest/gtest.h>

#include <stdint.h>
#include <string.h>

using namespace loopscope::runtime;

namespace {
TEST(Arena, ObjectsAreApartAlignedAndZeroed) {
  static Arena<4096> A;
  char *Last = nullptr;
  for (size_t Size = 1; Size < 600; ++Size) {
    char *Taken = A.take(Size);
    ASSERT_NE(Taken, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(Taken) % 16, 0U);
    for (size_t I = 0; I < Size; ++I)
      ASSERT_EQ(Taken[I], 0);
    memset(Taken, 1, Size); // the next one's bytes must still be 0
    EXPECT_NE(Taken, Last);
    Last = Taken;
  }
}

TEST(Arena, TextsNeedNoAlignment) {
  static Arena<4096, 1> A;
  char *First = A.take(3);
  EXPECT_EQ(A.take(1), First + 3);
  EXPECT_EQ(A.take(5), First + 4);
}

TEST(Arena, AnObjectMayFillABlock) {
  static Arena<4096> A;
  char *Small = A.take(16);
  char *Large = A.take(A.Most);
  EXPECT_TRUE(A.has(Small));
  EXPECT_TRUE(A.has(Large + A.Most - 1));
}

TEST(Arena, KnowsItsAddresses) {
  static Arena<4096> A;
  int Other = 0;
  EXPECT_FALSE(A.has(&Other));
  EXPECT_FALSE(A.has(nullptr));
  const char *First = A.take(100);
  for (int I = 0; I < 100; ++I)
    A.take(100);
  EXPECT_TRUE(A.has(First));
  EXPECT_FALSE(A.has(First - 1)); // of the block itself
  EXPECT_FALSE(A.has(&Other));
}
} // namespace

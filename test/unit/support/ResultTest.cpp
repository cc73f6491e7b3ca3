// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result is a value or an error, even if both are strings.

#include "Support/Result.h"

#include <gtest/gtest.h>

#include <memory>

using namespace loopscope;

namespace {

TEST(Result, HoldsAValue) {
  Result<std::string> R(std::string("text"));
  ASSERT_TRUE(R);
  EXPECT_EQ(*R, "text");
  EXPECT_EQ(R->size(), 4U);
}

TEST(Result, HoldsAnError) {
  Result<std::string> R(Error{"no such file"});
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().Message, "no such file");
}

TEST(Result, HoldsMoveOnlyValues) {
  Result<std::unique_ptr<int>> R(std::make_unique<int>(7));
  ASSERT_TRUE(R);
  std::unique_ptr<int> Taken = std::move(*R);
  EXPECT_EQ(*Taken, 7);
}

} // namespace

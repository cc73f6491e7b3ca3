// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of texts are those that FNV's authors publish.

#include "base/hash.h"

#include <gtest/gtest.h>

#include <string_view>

using namespace loopscope::runtime;

namespace {
uint64_t hashOf(std::string_view Text) {
  return addToHash(EmptyHash, Text.data(), Text.size());
}

TEST(Hash, IsFnv1a) {
  EXPECT_EQ(hashOf(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hashOf("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hashOf("foobar"), 0x85944171f73967e8U);
  EXPECT_EQ(hashOf("\xff"), addToHash(EmptyHash, 0xff));
}

TEST(Hash, ContinuesWhereItEnded) {
  EXPECT_EQ(addToHash(hashOf("foo"), "bar", 3), hashOf("foobar"));
}

TEST(Hash, FoldsHighBitsIntoLowOnes) {
  EXPECT_EQ(foldHash(0x1234567800000000U), 0x1234567812345678U);
  EXPECT_EQ(foldHash(0xffU), 0xffU);
}
} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace's numbers are exact, and invalid ones are refused.

#include "Run/Model/TraceNumbers.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
int64_t micros(std::string_view Text) {
  int64_t Ns = -1;
  EXPECT_TRUE(parseMicroseconds(Text, Ns)) << Text;
  return Ns;
}

bool refused(std::string_view Text) {
  int64_t Ns = 0;
  return !parseMicroseconds(Text, Ns);
}
} // namespace

TEST(TraceNumbers, MicrosecondsKeepEveryDigit) {
  EXPECT_EQ(micros("1610366662254362"), 1610366662254362000);
  EXPECT_EQ(micros("1610366662254362.123"), 1610366662254362123);
  EXPECT_EQ(micros("4"), 4000);
  EXPECT_EQ(micros("0.5"), 500);
  EXPECT_EQ(micros("0.0009"), 0);
  EXPECT_EQ(micros("-1"), -1000);
  EXPECT_EQ(micros("-0.25"), -250);
  EXPECT_EQ(micros("1.5e3"), 1500000);
}

TEST(TraceNumbers, OtherTokensAreRefused) {
  for (const char *Text : {"", "-", ".", "NaN", "Infinity", "-Infinity", "null",
                           "true", "N/A", "1x", "1.2.3", "0x10", "1e300",
                           "99999999999999999999", "9999999999999999"})
    EXPECT_TRUE(refused(Text)) << Text;
}

TEST(TraceNumbers, WholeNumbers) {
  int64_t Value = 0;
  EXPECT_TRUE(parseWhole("-12", Value));
  EXPECT_EQ(Value, -12);
  EXPECT_TRUE(parseWhole("12.0", Value));
  EXPECT_EQ(Value, 12);
  EXPECT_FALSE(parseWhole("12.5", Value));
  EXPECT_FALSE(parseWhole("12a", Value));
  EXPECT_FALSE(parseWhole("1e30", Value));
  double Real = 0;
  EXPECT_FALSE(parseReal("nan", Real));
  EXPECT_FALSE(parseReal("inf", Real));
}

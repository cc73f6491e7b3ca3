// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Number formats, compared with the output of Python and of the model reports.

#include "Support/Numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

using namespace loopscope;

TEST(Python5, FixedHasADigitBehindThePoint) {
  EXPECT_EQ(python5(539.63), "539.63");
  EXPECT_EQ(python5(0), "0.0");
  EXPECT_EQ(python5(1), "1.0");
  EXPECT_EQ(python5(1234), "1234.0");
  EXPECT_EQ(python5(9999.94), "9999.9");
  EXPECT_EQ(python5(-2.5), "-2.5");
  EXPECT_EQ(python5(0.0001), "0.0001");
  EXPECT_EQ(python5(0.00012345678), "0.00012346");
  EXPECT_EQ(python5(100.0), "100.0");
}

TEST(Python5, ScientificFromTheFourthExponentUp) {
  EXPECT_EQ(python5(12345), "1.2345e+04");
  EXPECT_EQ(python5(10000), "1e+04");
  EXPECT_EQ(python5(9999.96), "1e+04"); // rounds up into it
  EXPECT_EQ(python5(1.5e100), "1.5e+100");
}

TEST(Python5, ScientificBelowTheMinusFourthExponent) {
  EXPECT_EQ(python5(5.1116e-05), "5.1116e-05");
  EXPECT_EQ(python5(0.00001), "1e-05");
  EXPECT_EQ(python5(0.000099999), "9.9999e-05");
  EXPECT_EQ(python5(0.0000999999), "0.0001"); // rounds up out of it
}

TEST(SiDuration, FourDigitsAndAPrefix) {
  EXPECT_EQ(siDuration(0.08662), "86.62ms");
  EXPECT_EQ(siDuration(0.0007713), "771.3µs");
  EXPECT_EQ(siDuration(35.63), "35.63 s");
  EXPECT_EQ(siDuration(7.13), "7.130 s");
  EXPECT_EQ(siDuration(1.5e-9), "1.500ns");
  EXPECT_EQ(siDuration(0), "-");
  EXPECT_EQ(siDuration(-0.25), "-250.0ms");
}

TEST(SiDuration, RoundingMovesToTheNextPrefix) {
  EXPECT_EQ(siDuration(0.9999999), "1.000 s");
  EXPECT_EQ(siDuration(0.99994), "999.9ms");
  EXPECT_EQ(siDuration(999.96e-6), "1.000ms");
  // All digits before the decimal point are kept.
  EXPECT_EQ(siDuration(226e-6, 3), "226µs");
  EXPECT_EQ(siDuration(0.1722, 3), "172ms");
  EXPECT_EQ(siDuration(0.0226, 3), "22.6ms");
  EXPECT_EQ(siDuration(12345.6), "12346 s");
}

TEST(SiDuration, LongDurationsAreWholeSeconds) {
  EXPECT_EQ(siDuration(3600), "3600 s");
  EXPECT_EQ(siDuration(999.9), "999.9 s");
  EXPECT_EQ(siDuration(123456.7), "123457 s");
}

TEST(Rate, HasNoDecimalsFromTenOn) {
  EXPECT_EQ(rate(739.4), "739");
  EXPECT_EQ(rate(-38.2), "-38");
  EXPECT_EQ(rate(9.994), "9.99");
  EXPECT_EQ(rate(9.996), "10");
  EXPECT_EQ(rate(0.25), "0.25");
}

TEST(ThreeDigits, AreSignificant) {
  EXPECT_EQ(threeDigits(0), "0");
  EXPECT_EQ(threeDigits(-12), "-12.0");
  EXPECT_EQ(threeDigits(2.4), "2.40");
  EXPECT_EQ(threeDigits(0.0125), "0.0125");
  EXPECT_EQ(threeDigits(0.09996), "0.100"); // rounds up
  EXPECT_EQ(threeDigits(99.96), "100");
  EXPECT_EQ(threeDigits(1234.5), "1234");
  EXPECT_EQ(threeDigits(5.6e-84), "5.60e-84");
  EXPECT_EQ(threeDigits(0.0001), "0.000100");
}

TEST(ThreeDigits, OfPercentages) {
  EXPECT_EQ(threeDigitPercent(64.52), "64.5%");
  EXPECT_EQ(threeDigitPercent(100), "100%");
  EXPECT_EQ(threeDigitPercent(0), "0.00%");
  EXPECT_EQ(threeDigitPercent(0, true), "+0.00%");
  EXPECT_EQ(threeDigitPercent(-0.458, true), "-0.458%");
  EXPECT_EQ(threeDigitPercent(0.0321, true), "+0.0321%");
  EXPECT_EQ(threeDigitPercent(1e-13, true), "+0.00%"); // of rounding
  EXPECT_EQ(threeDigitPercent(-9.996), "-10.0%");
}

TEST(ExactSeconds, KeepsEveryNanosecond) {
  EXPECT_EQ(exactSeconds(1'500'000'000), "1.5");
  EXPECT_EQ(exactSeconds(0), "0");
  EXPECT_EQ(exactSeconds(-1), "-0.000000001");
  EXPECT_EQ(exactSeconds(10'000'000'000), "10");
  EXPECT_EQ(exactSeconds(std::numeric_limits<int64_t>::max()),
            "9223372036.854775807");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values in the format of Python's json module; the expected texts are its
// output.

#include "Report/Print/PythonJson.h"

#include <gtest/gtest.h>

using namespace loopscope;

TEST(PythonJson, Floats) {
  EXPECT_EQ(pythonFloat(0.0), "0.0");
  EXPECT_EQ(pythonFloat(86835.0), "86835.0");
  EXPECT_EQ(pythonFloat(0.1), "0.1");
  EXPECT_EQ(pythonFloat(1e15), "1000000000000000.0");
  EXPECT_EQ(pythonFloat(1e16), "1e+16");
  EXPECT_EQ(pythonFloat(0.0001), "0.0001");
  EXPECT_EQ(pythonFloat(0.00001), "1e-05");
}

TEST(PythonJson, RoundingIsHalfToEvenOfTheExactValue) {
  EXPECT_EQ(pythonRounded(67.824, 2), "67.82");
  EXPECT_EQ(pythonRounded(0.125, 2), "0.12");
  EXPECT_EQ(pythonRounded(0.375, 2), "0.38");
  EXPECT_EQ(pythonRounded(2.675, 2), "2.67");
  EXPECT_EQ(pythonRounded(21.0, 1), "21.0");
  EXPECT_EQ(pythonRounded(0.0, 2), "0.0");
}

TEST(PythonJson, Strings) {
  EXPECT_EQ(pythonString("a\"b\\c/"), "\"a\\\"b\\\\c/\"");
  EXPECT_EQ(pythonString("\n\t\x01\x7f"), "\"\\n\\t\\u0001\\u007f\"");
  EXPECT_EQ(pythonString("é€😀"), "\"\\u00e9\\u20ac\\ud83d\\ude00\"");
  EXPECT_EQ(pythonString("\xff"), "\"\\ufffd\"");
}

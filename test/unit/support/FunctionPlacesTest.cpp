// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions are found by file, name and line, in any spelling; ambiguous ones
// aren't found.

#include "Support/HookWorth.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
FunctionPlaces placesOf(const std::vector<FunctionPlace> &All) {
  FunctionPlaces Result;
  for (uint32_t I = 0; I < All.size(); ++I)
    Result.add(All[I], I);
  return Result;
}

TEST(FunctionPlaces, AcceptsOtherSpellings) {
  FunctionPlaces P = placesOf({{"../src/a.cpp", "N::C<int>::f<(A)1>", 5}});
  EXPECT_EQ(P.find({"/home/x/src/a.cpp", "N::C::f", 9}), 0U);
  EXPECT_EQ(P.find({"a.cpp", "f", 1}), 0U);
  EXPECT_EQ(P.find({"./a.cpp", "f", 1}), 0U);
  EXPECT_EQ(P.find({"src/x/../a.cpp", "f", 1}), 0U);
  EXPECT_FALSE(P.find({"/home/x/other/a.cpp", "N::C::f", 5}));
  EXPECT_FALSE(P.find({"/home/x/src/b.cpp", "f", 5}));
  EXPECT_FALSE(P.find({"/home/x/src/a.cpp", "g", 5}));
}

TEST(FunctionPlaces, OperatorsKeepTheirNames) {
  FunctionPlaces P = placesOf({{"a.h", "N::operator<", 1},
                               {"a.h", "N::operator>", 2},
                               {"a.h", "N::operator->", 3}});
  EXPECT_EQ(P.find({"a.h", "operator<", 9}), 0U);
  EXPECT_EQ(P.find({"a.h", "operator>", 9}), 1U);
  EXPECT_EQ(P.find({"a.h", "operator->", 9}), 2U);
}

TEST(FunctionPlaces, LinesDistinguishOverloads) {
  FunctionPlaces P = placesOf({{"a.cpp", "f", 5}, {"a.cpp", "f", 8}});
  EXPECT_EQ(P.find({"a.cpp", "f", 8}), 1U);
  EXPECT_FALSE(P.find({"a.cpp", "f", 6}));
}

TEST(JudgedFunctions, AnotherFunctionOfTheNameIsUnknown) {
  JudgedFunctions J({{{"a.cpp", "f", 5}, HookWorth::NotWorth},
                     {{"a.cpp", "g", 7}, HookWorth::NotWorthWithoutLoop}});
  EXPECT_EQ(J.find({"/x/a.cpp", "f", 5}), HookWorth::NotWorth);
  EXPECT_EQ(J.find({"/x/a.cpp", "f", 6}), HookWorth::Worth);
  EXPECT_EQ(J.find({"/x/a.cpp", "g", 7}), HookWorth::NotWorthWithoutLoop);
  EXPECT_EQ(J.find({"/x/a.cpp", "h", 7}), HookWorth::Worth);
}
} // namespace
